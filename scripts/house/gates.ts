import { LONG_FUNCTIONS, PROMISE_MAPS, isExempt, type Exemption } from './exemptions.ts';
import { findFullFolders, findFileCycles, findFolderCycles } from './folders.ts';
import { findLostLimits, findPaymentHeaders, findStatus402 } from './http.ts';
import { findNetworkNames } from './network-names.ts';
import { findPromiseMaps } from './promise-maps.ts';
import { findSignedInserts, findSigningCasts } from './signed-bytes.ts';
import { findStateMoves } from './state-moves.ts';
import { findLongFiles, findLongFunctions } from './sizes.ts';
import type { House, Place } from './tree.ts';

/** A rule about the structure. It holds while no more than `limit` places, or files that have one, are found. */
export type Gate = {
  title: string;
  limit: number;
  counts: 'places' | 'files';
  exemptions: readonly Exemption[];
  find: (house: House) => Place[];
};

export const GATES: readonly Gate[] = [
  { title: 'folders in cycles', limit: 0, counts: 'places', exemptions: [], find: findFolderCycles },
  { title: 'files in cycles', limit: 0, counts: 'places', exemptions: [], find: findFileCycles },
  {
    title: 'folders with more than 20 files',
    limit: 0,
    counts: 'places',
    exemptions: [],
    find: findFullFolders,
  },
  { title: "comparisons with a network's name", limit: 0, counts: 'places', exemptions: [], find: findNetworkNames },
  { title: 'files that set the payment header', limit: 1, counts: 'files', exemptions: [], find: findPaymentHeaders },
  { title: 'files that read a 402', limit: 1, counts: 'files', exemptions: [], find: findStatus402 },
  { title: 'time limits that can be lost', limit: 0, counts: 'places', exemptions: [], find: findLostLimits },
  { title: 'maps that hold promises', limit: 0, counts: 'places', exemptions: PROMISE_MAPS, find: findPromiseMaps },
  {
    title: 'states that change outside move.ts',
    limit: 0,
    counts: 'places',
    exemptions: [],
    find: findStateMoves,
  },
  {
    title: 'files that open a signing transaction',
    limit: 1,
    counts: 'files',
    exemptions: [],
    find: findSigningCasts,
  },
  { title: 'files that insert signed bytes', limit: 1, counts: 'files', exemptions: [], find: findSignedInserts },
  {
    title: 'functions above 70 lines',
    limit: 0,
    counts: 'places',
    exemptions: LONG_FUNCTIONS,
    find: findLongFunctions,
  },
  { title: 'files above 300 lines', limit: 0, counts: 'places', exemptions: [], find: findLongFiles },
];

/** `unused`: exemptions that excuse nothing any more. */
export type Result = { gate: Gate; places: Place[]; count: number; holds: boolean; unused: Exemption[] };

export function runGates(house: House): Result[] {
  return GATES.map((gate) => {
    const found = gate.find(house);
    const places = found.filter(({ file }) => !isExempt(gate.exemptions, file));
    const count = gate.counts === 'files' ? new Set(places.map(({ file }) => file)).size : places.length;
    const unused = gate.exemptions.filter((one) => !found.some(({ file }) => isExempt([one], file)));
    return { gate, places, count, holds: count <= gate.limit, unused };
  });
}
