import { createHash } from 'node:crypto';
import { linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, makeDirectory, readSmallFile, syncDirectory, writeThrough } from '../terminal/files.ts';
import { Stop } from '../terminal/stop.ts';
import { recordSchema, type PaymentRecord } from './record.ts';

/** A record and its file. */
export type Kept = { record: PaymentRecord; file: string };

/** The open payment of this request, or the place where one may begin. */
export type Look = { kind: 'open'; kept: Kept } | { kind: 'free'; place: string };

export type Journal = {
  look: (request: RequestName) => Look;
  /** Null when another process has taken the place: look again. The header may be sent only after this. */
  begin: (record: PaymentRecord, place: string) => Kept | null;
  /** Replaces the record. */
  update: (kept: Kept, state: PaymentRecord['state']) => Kept;
  /** The payment is over, and its payer knows. */
  end: (kept: Kept) => void;
  /** All open payments, oldest first. */
  open: () => Kept[];
};

export type RequestName = Pick<PaymentRecord, 'service' | 'route' | 'body'>;

/** A record of a hundred lines with a note and its header. */
const RECORD_BYTES_MAX = 512 * 1024;
const OPEN_PATTERN = /^[0-9a-f]{32}\.[1-9][0-9]{0,9}\.json$/;
const ENDED = 'ended';

/**
 * Payments as files, on the disk before anything is sent. A name consists of the request and a number that it has not
 * had before. A hard link creates it with its whole content, and only one process can make that link. So a request has
 * at most one signed payment at a time, whichever process is killed, and no lock is left behind.
 */
export function openJournal(home: string, random: (bytes: number) => Uint8Array): Journal {
  const directory = join(home, 'payments');
  const pathOf = (file: string) => join(directory, file);
  const names = () => (isThere(directory) ? readdirSync(directory) : []);
  const read = (file: string) => readRecord(pathOf(file), file);

  function write(record: PaymentRecord): string {
    makeDirectory(directory);
    const path = pathOf(`${Buffer.from(random(16)).toString('hex')}.draft`);
    writeThrough(path, JSON.stringify(record), 'wx');
    return path;
  }

  return {
    look(request) {
      const prefix = `${fingerprint(request)}.`;
      const own = names().filter((name) => name.startsWith(prefix));
      const kept = own
        .filter((name) => OPEN_PATTERN.test(name))
        .map(read)
        .find((one) => one !== null);
      if (kept !== undefined) return { kind: 'open', kept };
      const last = Math.max(0, ...own.map(numberOf));
      return { kind: 'free', place: `${prefix}${last + 1}.json` };
    },
    begin(record, place) {
      const draft = write(record);
      const isOurs = tryLink(draft, pathOf(place));
      rmSync(draft, { force: true });
      if (!isOurs) return null;
      // Another process may have taken this number and ended it since the look: then the name stays its own.
      if (names().some((name) => name.endsWith(`.${ENDED}`) && name.startsWith(place.slice(0, -'json'.length)))) {
        rmSync(pathOf(place), { force: true });
        return null;
      }
      syncDirectory(directory);
      return { record, file: place };
    },
    update({ record, file }, state) {
      const changed = { ...record, state };
      const draft = write(changed);
      // A payment that another process has ended meanwhile stays ended.
      if (isThere(pathOf(file))) renameSync(draft, pathOf(file));
      else rmSync(draft, { force: true });
      syncDirectory(directory);
      return { record: changed, file };
    },
    end({ record, file }) {
      const ended = `${file.slice(0, -'json'.length)}${record.id}.${ENDED}`;
      if (isThere(pathOf(file))) renameSync(pathOf(file), pathOf(ended));
      syncDirectory(directory);
    },
    open() {
      const kept = names()
        .filter((name) => OPEN_PATTERN.test(name))
        .map(read)
        .filter((one) => one !== null);
      return kept.toSorted((left, right) => left.record.createdAt.localeCompare(right.record.createdAt));
    },
  };
}

function fingerprint({ service, route, body }: RequestName): string {
  return createHash('sha256')
    .update(JSON.stringify([service, route, body]))
    .digest('hex')
    .slice(0, 32);
}

function numberOf(name: string): number {
  const number = Number(name.split('.')[1]);
  return Number.isSafeInteger(number) ? number : 0;
}

/** False where the name is taken. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isThere(to)) return false;
    throw error;
  }
}

/** Null for one that has just ended. An unreadable file stops everything, because it may be a payment. */
function readRecord(path: string, file: string): Kept | null {
  if (!isThere(path)) return null;
  const parsed = recordSchema.safeParse(toJson(readSmallFile(path, 'A kept payment', RECORD_BYTES_MAX)));
  if (parsed.success) return { record: parsed.data, file };
  const next = 'It may have been sent. Ask the service about it before you move the file away.';
  throw new Stop('unknown', 'broken_journal', `A kept payment cannot be read: ${path}`, next);
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
