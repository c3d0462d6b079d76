import { expect, test } from "vitest";
import type { Table, View } from "../src/api/client";
import { finishedRounds, scoreOf } from "../src/table/score";
import { aTable, aView } from "./fixtures";

const won = (seal: number | null): Table["rounds"][number] => ({
  commitment: "0",
  contributions: [null, null],
  ended: "deck",
  rupees: [60, 50],
  seal,
});
const running: Table["rounds"][number] = { commitment: "0", contributions: [null, null] };

/** The view of seat 1, with the tokens of both players. */
function tokensOf(own: number, other: number): View {
  const { own: player } = aView();
  return aView({
    seat: 1,
    own: { ...player, rupees: own, bonus_values: [4, 9] },
    other: { ...player, rupees: other, bonus_values: [] },
  });
}

test("only rounds that have ended have a score sheet", () => {
  expect(finishedRounds(aTable({ rounds: [won(0), won(null), running] }))).toEqual([1, 2]);
});

test("the reader's column comes first, with the seals after that round", () => {
  const end = aTable({ you: 1, view: tokensOf(31, 42), rounds: [won(1)] });
  const table = aTable({ you: 1, view: tokensOf(0, 0), rounds: [won(1), won(0), won(1)] });
  expect(scoreOf(table, 1, end)).toEqual({
    result: won(1),
    columns: [
      { seat: 1, seals: 1, tokens: { goods: 31, bonus: [4, 9] } },
      { seat: 0, seals: 0, tokens: { goods: 42, bonus: [] } },
    ],
  });
  expect(scoreOf(table, 3, undefined)?.columns.map(({ seals }) => seals)).toEqual([2, 1]);
});

test("the tokens of the last round come from the table itself, those of an unknown round are missing", () => {
  const table = aTable({ you: 1, view: tokensOf(31, 42), rounds: [won(0), won(1)] });
  expect(scoreOf(table, 2, undefined)?.columns.map(({ tokens }) => tokens?.goods)).toEqual([31, 42]);
  expect(scoreOf(table, 1, undefined)?.columns.map(({ tokens }) => tokens)).toEqual([null, null]);
});

test("a round that was not played has no score", () => {
  expect(scoreOf(aTable({ rounds: [won(0)] }), 2, undefined)).toBeNull();
});
