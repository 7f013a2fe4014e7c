import { join } from 'node:path';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { isThere, makeDirectory, readSmallFile, writeThrough } from '../terminal/files.ts';

export type Days = {
  /** Reserves a part of the day's cap before anything is signed; false when the cap (null: none) has no room. */
  reserve: (day: string, id: string, amount: MicroUsdc, cap: MicroUsdc | null) => boolean;
  /** Only for a payment that was never sent. */
  release: (day: string, id: string) => void;
  spent: (day: string) => MicroUsdc;
};

/** About a hundred thousand payments. */
const DAY_BYTES_MAX = 8 * 1024 * 1024;

type Event = { kind: '+' | '-'; id: string; amount: bigint };

/**
 * The sums signed on each day (UTC), as lines of a file. Appending is atomic, and the order in the file decides: a
 * process that reads its own line back and finds the cap passed takes the line back. So the cap holds for any number of
 * processes, without a lock that a killed one could leave behind.
 */
export function openDays(home: string): Days {
  const directory = join(home, 'days');
  const path = (day: string) => join(directory, `${day}.log`);

  function append(day: string, line: string): void {
    makeDirectory(directory);
    // The leading line break ends the torn line of a killed process.
    writeThrough(path(day), `\n${line}\n`, 'a');
  }

  function read(day: string): Event[] {
    if (!isThere(path(day))) return [];
    return readSmallFile(path(day), 'The list of the day', DAY_BYTES_MAX).split('\n').flatMap(toEvent);
  }

  const release = (day: string, id: string) => append(day, `- ${id} 0 .`);

  return {
    reserve(day, id, amount, cap) {
      append(day, `+ ${id} ${amount} .`);
      const events = read(day);
      const own = events.findLastIndex((event) => event.id === id);
      if (own < 0) throw new Error(`expected to find ${id} in the list of ${day}`);
      if (cap === null || sumOf(events.slice(0, own + 1)) <= cap) return true;
      release(day, id);
      return false;
    },
    release,
    spent: (day) => sumOf(read(day)),
  };
}

/** The point shows that a line is whole: a number that was cut off would be another number. */
function toEvent(line: string): Event[] {
  const [, kind, id, amount] = /^([+-]) ([0-9a-f]{32}) ([0-9]{1,20}) \.$/.exec(line) ?? [];
  if (id === undefined || amount === undefined) return [];
  return [{ kind: kind === '+' ? '+' : '-', id, amount: BigInt(amount) }];
}

/** An id counts once, until it is released. */
function sumOf(events: readonly Event[]): MicroUsdc {
  const taken = new Map<string, bigint>();
  for (const { kind, id, amount } of events) {
    if (kind === '+') taken.set(id, amount);
    else taken.delete(id);
  }
  return microUsdc([...taken.values()].reduce((sum, amount) => sum + amount, 0n));
}
