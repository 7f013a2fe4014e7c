/**
 * Sentences that agents wrote, by a reader who knew neither the grammar nor the limits, each with what it means: sent as
 * messages up to the price or the question.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../../../core/amounts.ts';
import { parseDecimalUsdc } from '../../../../core/money.ts';
import { findHttpPlatform } from '../../../../core/platforms/platforms.ts';
import { parseRecipient } from '../../../../core/platforms/recipient.ts';
import { formatUsdc } from '../../../../core/money.ts';
import { rpc, say, startWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const pay = z.object({
  kind: z.literal('pay'),
  payments: z.array(z.object({ platform: z.string(), name: z.string(), amount_usd: z.string() })).min(1),
  note: z.string().nullable(),
  network: z.string().nullable(),
});
const fixture = z.array(
  z.object({
    id: z.number(),
    text: z.string(),
    clear: z.boolean(),
    meaning: z.union([pay, z.object({ kind: z.enum(['ask', 'refuse', 'status', 'other']) })]),
    /** Why the writer's meaning is not held against the program. */
    doubt: z.string().optional(),
  }),
);
const FILE = join(import.meta.dirname, '../../../core/grammar/sentences/agents.json');
const SENTENCES = fixture.parse(JSON.parse(readFileSync(FILE, 'utf8')));
type Sentence = (typeof SENTENCES)[number];
const OUTCOMES = ['priced as meant', 'PRICED OTHERWISE', 'asked', 'refused', 'something else'] as const;
type Outcome = (typeof OUTCOMES)[number];

const networkOf: Readonly<Record<string, string>> = { base: 'eip155:8453', solana: 'solana:' };
const sumOf = (text: string) => parseDecimalUsdc(text) ?? 0n;

/** What one task can pay: people of one public platform, and no more than the limit for each. */
function isPayable({ clear, meaning, doubt }: Sentence): boolean {
  if (!clear || meaning.kind !== 'pay' || doubt !== undefined) return false;
  const platforms = new Set(meaning.payments.map(({ platform }) => findHttpPlatform(platform, false)));
  const sums = meaning.payments.map(({ amount_usd }) => sumOf(amount_usd));
  const isInRange = sums.every((sum) => sum >= PAYMENT_AMOUNT_MIN && sum <= PAYMENT_AMOUNT_MAX);
  return platforms.size === 1 && !platforms.has(null) && isInRange;
}

type Reading = {
  platform: string;
  receiver?: string;
  amount?: string;
  receivers?: { receiver: string; amount: string }[];
};

function linesMeant({ meaning }: Sentence): string[] {
  if (meaning.kind !== 'pay') return [];
  return meaning.payments.map(({ platform, name, amount_usd }) => {
    const found = findHttpPlatform(platform, true);
    if (found === null) throw new Error(`no platform is called ${platform}`);
    return `${found}:${found === 'telegram' || found === 'discord' ? name : parseRecipient(found, name).key} ${formatUsdc(parseDecimalUsdc(amount_usd) ?? fail(amount_usd))}`;
  });
}
function fail(text: string): never {
  throw new Error(`no sum: ${text}`);
}

function linesRead({ platform, receiver = '', amount = '', receivers = [{ receiver, amount }] }: Reading): string[] {
  const found = findHttpPlatform(platform, true);
  return receivers.map((line) => `${platform}:${found === null ? '' : parseRecipient(found, line.receiver).key} ${line.amount}`);
}

/** Any faithful part of the note will do, or none. */
const isFaithful = (note: string | null, text: string) =>
  note === null || text.replace(/\s+/g, ' ').includes(note.replace(/\s+/g, ' '));

async function judge(sentence: Sentence): Promise<{ outcome: Outcome; shown: string }> {
  const { text, meaning } = sentence;
  const message = { messageId: `m-${sentence.id}`, role: 'ROLE_USER', parts: [{ text }] };
  const { result, error } = await say(world, rpc('SendMessage', { message }));
  if (result === undefined) return { outcome: 'refused', shown: error.message };
  const { status } = result['task'] as {
    status: { state: string; message: { parts: { text: string }[]; metadata?: Record<string, unknown> } };
  };
  const shown = status.message.parts[0]?.text ?? '';
  const { metadata = {} } = status.message;
  if (status.state !== 'TASK_STATE_INPUT_REQUIRED') return { outcome: 'something else', shown };
  if (metadata['x402.payment.status'] === undefined) return { outcome: 'asked', shown };
  const reading = metadata['reading'] as Reading & { note: string | null };
  const { accepts } = metadata['x402.payment.required'] as { accepts: { network: string }[] };
  const wanted = meaning.kind === 'pay' && meaning.network !== null ? networkOf[meaning.network] : '';
  const isThere = wanted !== undefined && accepts.some(({ network }) => network.startsWith(wanted));
  const isMeant = linesRead(reading).toSorted().join() === linesMeant(sentence).toSorted().join();
  const isSame = isMeant && isThere && isFaithful(reading.note, text);
  return { outcome: isSame ? 'priced as meant' : 'PRICED OTHERWISE', shown };
}

test('nothing is read as somebody or something else, and most of what can be paid is priced at once', async () => {
  const judged: (Sentence & { outcome: Outcome; shown: string })[] = [];
  for (const sentence of SENTENCES) judged.push({ ...sentence, ...(await judge(sentence)) });
  const payable = judged.filter(isPayable);
  const priced = payable.filter(({ outcome }) => outcome === 'priced as meant');
  const counted = (all: readonly { outcome: Outcome }[]) =>
    OUTCOMES.map((outcome) => `${all.filter((one) => one.outcome === outcome).length} ${outcome}`);
  process.stdout.write(
    `payable: ${counted(payable).join(', ')}; others: ${counted(judged.filter((one) => !isPayable(one))).join(', ')}\n`,
  );
  for (const one of judged) {
    if (process.env['SHOW'] === undefined) break;
    if (one.outcome === 'PRICED OTHERWISE' || (isPayable(one) && one.outcome !== 'priced as meant') || process.env['SHOW'] === 'all')
      process.stdout.write(`${one.id} ${one.outcome}: ${JSON.stringify(one.text)}\n     ${one.shown.slice(0, 160)}\n`);
  }
  const wrong = judged.filter(({ outcome, meaning, doubt }) =>
    meaning.kind === 'pay' || doubt !== undefined
      ? outcome === 'PRICED OTHERWISE'
      : outcome !== 'asked' && outcome !== 'refused',
  );
  expect(wrong.map(({ id, text, shown }) => `${id} ${text} → ${shown}`)).toEqual([]);
  expect(priced.length / payable.length).toBeGreaterThanOrEqual(0.85);
});
