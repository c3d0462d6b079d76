"""Live play without a network: a table with two seats, its journal of events, its clock, and what each seat is told."""
