/** A service on a real chain whose database is put back while payments go on, and what each payer and recipient got. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../../../core/config/config.ts';
import type { Network } from '../../../core/networks.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { openHighWater, type KeptMark } from '../../../db/processes/high-water.ts';
import { readCursor } from '../../../db/scan/cursor.ts';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import type { Store } from '../../../db/store/store.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { readEvmKeys, readSolanaKeys } from '../../../service/networks/keys.ts';
import { openTransferIds } from '../../../service/transfer-ids.ts';
import { createBaseSide } from './base-side.ts';
import type { Payer, Restored, Side } from './side.ts';
import { createSolanaSide } from './solana-side.ts';

const line = z.object({ txn_id: z.number() });
const answered = z.object({
  error: z.string().optional(),
  data: z
    .union([line, z.array(line)])
    .optional()
    .catch(undefined),
});
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}` as const;
const cents = (value: bigint) => Number(value) / 1_000_000;

/** One person's part of a wish. Nobody else has this name or this address. */
export type Part = { name: string; wallet: string; amount: bigint };
/** What is bought once. Nobody else pays from this account. */
export type Wish = {
  kind: string;
  payer: Payer;
  parts: Part[];
  total: bigint;
  nonce: `0x${string}`;
  header: string;
  key: string | null;
  answers: { status: number; word: string | null; txnIds: number[] }[];
};
type Wanted = { amounts?: readonly bigint[]; key?: string | null; by?: Payer | null };
/** All the same, so that an amount tells nothing. */
const ONE = 1_000_000n;

export const SIDES = {
  base: (config) => createBaseSide(readEvmKeys(config, 'base')),
  solana: (config) => createSolanaSide(readSolanaKeys(config)),
} as const satisfies Partial<Record<Network, (config: Config) => Promise<Side>>>;

export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld(network: keyof typeof SIDES, config: Config) {
  const side = await SIDES[network](config);
  const transferIdOf = openTransferIds(config);
  const wishes: Wish[] = [];
  const running: Restored[] = [];
  let identities = 0;
  let skewMs = 0;
  let kept: KeptMark | null = null;
  const now = () => Date.now() + skewMs;
  const place = { read: async () => kept, write: async (mark: KeptMark) => void (kept = mark) };

  /** What the process signs is counted outside the database; without the holdings, which a lone worker does not have. */
  async function guard(store: Store): Promise<Store> {
    const highWater = await openHighWater(store, place, { newHolder: () => 'p', now });
    const guarded: Store['guard'] = async (db) => {
      const mark = await highWater.raise(db);
      return () => highWater.keep(mark);
    };
    return { ...store, guard: guarded };
  }

  async function start(database: DatabaseAddress): Promise<Restored> {
    const service = await side.start({ database, now, guard, transferIdOf });
    running.push(service);
    return service;
  }

  const asked = ({ payer, total: value, nonce }: Pick<Wish, 'payer' | 'total' | 'nonce'>) => {
    return { payer, value, nonce, validBefore: Math.floor(now() / 1_000) + 60 };
  };

  /** A wish with its own payer and recipients, signed and not presented. */
  async function wish(kind: string, { amounts = [ONE], key = null, by = null }: Wanted = {}) {
    const total = amounts.reduce((sum, amount) => sum + amount, 0n);
    const payer = by ?? (await side.createPayer(total * 2n));
    const parts = amounts.map((amount) => ({
      name: `r${randomBytes(6).toString('hex')}`,
      wallet: side.newWallet(),
      amount,
    }));
    const made = { kind, payer, parts, total, nonce: hex(32), key };
    const signed: Wish = { ...made, header: await side.sign(asked(made)), answers: [] };
    wishes.push(signed);
    return signed;
  }

  async function present(
    made: Wish,
    service: Restored,
    header = made.header,
    signal: AbortSignal | null = null,
  ): Promise<void> {
    const { parts, key } = made;
    const [only, ...others] = parts;
    const isOne = only !== undefined && others.length === 0;
    const receivers = parts.map(({ name, amount }) => ({ receiver: name, amount: cents(amount) }));
    const headers = { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': header };
    const reply = await fetch(`${service.url}/payments/x/${isOne ? 'pay' : 'batch-pay'}`, {
      method: 'POST',
      headers: key === null ? headers : { ...headers, 'Idempotency-Key': key },
      body: JSON.stringify(isOne ? receivers[0] : { receivers }),
      signal,
    }).catch(() => null);
    const answer = answered.parse((await reply?.json().catch(() => null)) ?? {});
    const lines = [answer.data ?? []].flat();
    made.answers.push({
      status: reply?.status ?? 0,
      word: answer.error ?? null,
      txnIds: lines.map(({ txn_id }) => txn_id),
    });
  }

  return {
    side,
    config,
    wishes,
    now,
    skewMs: () => skewMs,
    start,
    wish,
    present,
    transferIdOf,
    async stop(service: Restored): Promise<void> {
      running.splice(running.indexOf(service), 1);
      await service.close();
    },
    /** The caller is gone once the payment is reserved. */
    async hangUp(made: Wish, service: Restored): Promise<void> {
      const gone = new AbortController();
      const presented = present(made, service, made.header, gone.signal);
      const { read, tables } = service.store;
      const rowOf = async () =>
        (await read.select().from(tables.payments)).find(({ payer }) => payer === made.payer.address)?.delivery;
      await eventually(async () => {
        if ((await rowOf()) === undefined) throw new Error('not reserved yet');
      }, 10_000);
      gone.abort();
      await presented;
      await eventually(async () => {
        if ((await rowOf()) === 'waiting') throw new Error('not missed yet');
      }, 10_000);
    },
    /** Signed anew for the same wish, as after an answer that did not come. */
    async presentAnew(made: Wish, service: Restored): Promise<string> {
      const header = await side.sign(asked({ ...made, nonce: hex(32) }));
      await present(made, service, header);
      return header;
    },
    /** A recipient gives the address that their money goes to. */
    async link({ name, wallet: address }: Part, { store, worker }: Restored): Promise<void> {
      const recipient = { ...parseRecipient('x', name), stableId: localUserId(parseRecipient('x', name)) };
      const newId = `identity-${(identities += 1)}`;
      const identityId = await store.tx((db) => ensureIdentity(db, store.tables, recipient, newId, now()));
      await linkWallet(store, { identityId, network: side.network, address, source: 'test' }, transferIdOf, now());
      worker?.wake();
    },
    /** A stranger sends a copy of the authorization before it is presented. False where nobody but us can. */
    async copy(made: Wish): Promise<boolean> {
      await side.copy?.(asked(made));
      return side.copy !== null;
    },
    /** Chain and clock go on together, and the books read it. */
    async pass(seconds: number, { store }: Restored): Promise<void> {
      skewMs += seconds * 1_000;
      const isRead = await side.advance(seconds);
      await eventually(async () => {
        const cursor = await readCursor(store, side.network);
        if (cursor === null || !isRead(cursor)) throw new Error(`only block ${cursor?.block} is read`);
      }, 300_000);
    },
    moved: side.moved,
    async close(): Promise<void> {
      for (const service of running) await service.close();
      await side.close();
    },
  };
}
