"""A deck of our own that makes games short."""

from typing import Final

CATALOGUE: Final = "short-play"
DECK: Final = """
name = "short-play"
title = "A small deck, so that games come to their end"
source = "made up for the tests"
total = 30

[[beans]]
card = "pinto"
copies = 15
beanometer = { 1 = 2, 2 = 4 }
provenance = "house"
names = { en = "pinto bean" }

[[beans]]
card = "borlotti"
copies = 15
beanometer = { 1 = 2, 2 = 3 }
provenance = "house"
names = { en = "borlotti bean" }
"""
