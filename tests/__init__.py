"""The tests of newsmon."""
