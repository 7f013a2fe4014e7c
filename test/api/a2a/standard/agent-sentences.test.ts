/**
 * Sentences as agents write them, by writers who had not seen the grammar, each with what it means: sent as messages up to
 * the price or the question.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../../../core/amounts.ts';
import { formatUsdc, parseDecimalUsdc, type MicroUsdc } from '../../../../core/money.ts';
import { findPlatform, platformRow, type Platform } from '../../../../core/platforms/platforms.ts';
import { parseRecipient } from '../../../../core/platforms/recipient.ts';
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
type Sentence = z.infer<typeof fixture>[number];

function readFixture(name: string): Sentence[] {
  const file = join(import.meta.dirname, '../../../core/grammar/sentences', `${name}.json`);
  return fixture.parse(JSON.parse(readFileSync(file, 'utf8')));
}

type Outcome = 'priced as meant' | 'PRICED OTHERWISE' | 'asked' | 'refused' | 'something else';

const networkOf: Readonly<Record<string, string>> = { base: 'eip155:8453', solana: 'solana:' };
function sumOf(text: string): MicroUsdc {
  const sum = parseDecimalUsdc(text);
  if (sum === null) throw new Error(`no sum: ${text}`);
  return sum;
}

function platformOf(place: string): Platform {
  const platform = findPlatform(place);
  if (platform === null) throw new Error(`no platform is called ${place}`);
  return platform;
}

/** What one task can pay: people of one public platform, and no more than the limit for each. */
function isPayable({ clear, meaning, doubt }: Sentence): boolean {
  if (!clear || meaning.kind !== 'pay' || doubt !== undefined) return false;
  const platforms = new Set(meaning.payments.map(({ platform }) => platformOf(platform)));
  const sums = meaning.payments.map(({ amount_usd }) => sumOf(amount_usd));
  const isInRange = sums.every((sum) => sum >= PAYMENT_AMOUNT_MIN && sum <= PAYMENT_AMOUNT_MAX);
  return platforms.size === 1 && [...platforms].every((platform) => platformRow(platform).a2a) && isInRange;
}

type Reading = {
  platform: string;
  receiver?: string;
  amount?: string;
  receivers?: { receiver: string; amount: string }[];
};

function linesMeant({ meaning }: Sentence): string[] {
  if (meaning.kind !== 'pay') return [];
  return meaning.payments.map(({ platform, name, amount_usd }) => lineOf(platform, name, amount_usd));
}

/** Names of chats are numbers for us, and cannot be compared. */
function lineOf(place: string, name: string, sum: string): string {
  const platform = platformOf(place);
  const key = platformRow(platform).a2a ? parseRecipient(platform, name).key : name;
  return `${platform}:${key} ${formatUsdc(sumOf(sum))}`;
}

const linesRead = ({ platform, receiver = '', amount = '', receivers = [{ receiver, amount }] }: Reading): string[] =>
  receivers.map((line) => lineOf(platform, line.receiver, line.amount));

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
  const isThere = accepts.some(({ network }) => wanted !== undefined && network.startsWith(wanted));
  const isMeant = linesRead(reading).toSorted().join() === linesMeant(sentence).toSorted().join();
  const isSame = isMeant && isThere && isFaithful(reading.note, text);
  return { outcome: isSame ? 'priced as meant' : 'PRICED OTHERWISE', shown };
}

/** What the grammar reads of what can be paid. A change may not make it less. */
const FIXTURES = [
  { name: 'agents', pricedAtLeast: 0.85 },
  { name: 'agents-second', pricedAtLeast: 0.7 },
];

test.each(FIXTURES)('nothing of $name pays anyone or anything but what it says', async ({ name, pricedAtLeast }) => {
  const judged: (Sentence & { outcome: Outcome; shown: string })[] = [];
  for (const sentence of readFixture(name)) judged.push({ ...sentence, ...(await judge(sentence)) });
  const wrong = judged.filter(({ outcome, meaning }) =>
    meaning.kind === 'pay'
      ? outcome === 'PRICED OTHERWISE' || outcome === 'something else'
      : outcome !== 'asked' && outcome !== 'refused',
  );
  expect(wrong.map(({ id, text, shown }) => `${id} ${text} → ${shown}`)).toEqual([]);
  const beyond = judged.filter((one) => one.meaning.kind === 'pay' && !isPayable(one));
  expect(beyond.filter(({ outcome }) => outcome === 'priced as meant')).toEqual([]);
  const payable = judged.filter(isPayable);
  const priced = payable.filter(({ outcome }) => outcome === 'priced as meant');
  process.stdout.write(`sentences of ${name}: ${priced.length} of ${payable.length} that can be paid are priced\n`);
  expect(priced.length / payable.length).toBeGreaterThanOrEqual(pricedAtLeast);
});
