import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const person = z.object({ platform: z.string(), name: z.string() });
const sum = { amount_usd: z.string().nullish(), total_usd: z.string().nullish() };
const other = { amount: z.string().optional(), currency: z.string().optional() };

const meaning = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tip'), recipients: z.array(person), ...sum, ...other, note: z.string().nullish() }),
  z.object({
    kind: z.literal('request'),
    from: z.array(person),
    ...sum,
    ...other,
    includes_sender: z.boolean().optional(),
    reason: z.string().nullish(),
  }),
  z.object({
    kind: z.literal('drop'),
    ...sum,
    ...other,
    people: z.number().nullish(),
    duration: z.string().nullish(),
  }),
  z.object({ kind: z.literal('block'), who: z.array(person).optional() }),
  z.object({ kind: z.literal('link'), account: person.optional() }),
  z.object({ kind: z.literal('withdraw'), amount_usd: z.string().nullish() }),
  /** A tip is wanted back. */
  z.object({ kind: z.literal('cancel') }),
  z.object({ kind: z.enum(['ask', 'refuse', 'balance', 'history', 'help', 'top', 'claim', 'limits', 'settings']) }),
]);

const line = z.object({
  id: z.number(),
  language: z.enum(['en', 'de', 'es', 'pt', 'ja']),
  where: z.enum(['group', 'private']),
  line: z.string(),
  meaning,
  /** False where a person would have to ask as well. */
  clear: z.boolean(),
  comment: z.string().optional(),
});

export type Person = z.infer<typeof person>;
export type Meaning = z.infer<typeof meaning>;
/** What somebody who knew nothing of the grammar would type, and what they meant. */
export type Line = z.infer<typeof line>;

export function readLines(name: string): Line[] {
  const text = readFileSync(join(import.meta.dirname, `${name}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((one) => line.parse(JSON.parse(one)));
}

/** The members of the chat whom a line means. */
export function membersIn({ meaning }: Line): string[] {
  const people = [
    ...('recipients' in meaning ? meaning.recipients : []),
    ...('from' in meaning ? meaning.from : []),
    ...('who' in meaning ? (meaning.who ?? []) : []),
  ];
  return people.flatMap(({ platform, name }) => (platform === 'member' ? [name] : []));
}
