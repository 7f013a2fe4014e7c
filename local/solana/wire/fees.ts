/** What a message costs its first account. */
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '../ground/addresses.ts';
import { createByteReader } from './byte-reader.ts';
import type { Instruction, Message } from './message.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO_LAMPORTS = 1_000_000n;
const UNITS_MAX = 1_400_000;
/** What an instruction counts when the message sets no limit: little for those built into the runtime. */
const UNITS_BUILT_IN = 3_000;
const UNITS_OTHER = 200_000;

const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

export function feeOf(message: Message): bigint {
  const base = LAMPORTS_PER_SIGNATURE * BigInt(message.header.signers);
  if (message.limits) return base + (message.limits.priorityFeeLamports ?? 0n);
  const { units, microLamportsPerUnit } = budgetOf(message);
  return base + (BigInt(units) * microLamportsPerUnit + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}

function budgetOf(message: Message): { units: number; microLamportsPerUnit: bigint } {
  const programOf = (instruction: Instruction) => message.accounts[instruction.programIndex];
  const budget = message.instructions.filter((instruction) => programOf(instruction) === COMPUTE_BUDGET_PROGRAM);
  const limit = budget.find(({ data }) => data[0] === SET_UNIT_LIMIT && data.length === 5);
  const price = budget.find(({ data }) => data[0] === SET_UNIT_PRICE && data.length === 9);
  const byDefault = message.instructions
    .map((instruction) => {
      const program = programOf(instruction);
      return program === COMPUTE_BUDGET_PROGRAM || program === SYSTEM_PROGRAM ? UNITS_BUILT_IN : UNITS_OTHER;
    })
    .reduce((sum, units) => sum + units, 0);
  return {
    units: Math.min(limit ? createByteReader(limit.data.subarray(1)).u32() : byDefault, UNITS_MAX),
    microLamportsPerUnit: price ? createByteReader(price.data.subarray(1)).u64() : 0n,
  };
}
