import { z } from 'zod';
import { KEPT_NAMES, readValues, type Environment, type KeptName } from '../../core/config/variables.ts';

/** What stands in a keystore once it is open. */
export type KeystoreContent = {
  /** By the names of the environment, as they would stand there. */
  secrets: Readonly<Partial<Record<KeptName, string>>>;
  /** When the operator proved that the words of `CHAT_WALLET_SEED` are written down; null: not yet. */
  wordsConfirmedAtMs: number | null;
};

const contentSchema = z.strictObject({
  secrets: z.partialRecord(z.enum(KEPT_NAMES), z.string().max(10_000)),
  wordsConfirmedAtMs: z.int().nullable(),
});

export function formatContent(content: KeystoreContent): string {
  return JSON.stringify(content);
}

/** Of a text that was sealed, so that it is ours: anything else is a broken invariant. */
export function parseContent(text: string): KeystoreContent {
  return contentSchema.parse(JSON.parse(text));
}

/** The keys that are set. Throws with what is wrong with them, a line each, and never with a value. */
export function readSecrets(env: Environment): KeystoreContent['secrets'] {
  const given = Object.fromEntries(KEPT_NAMES.flatMap((name) => (isSet(env[name]) ? [[name, env[name]?.trim()]] : [])));
  const { problems } = readValues(given);
  if (problems.length === 0) return given;
  throw new Error(problems.map(({ name, found, wanted }) => `${name} is ${found}; ${wanted}`).join('\n'));
}

function isSet(text: string | undefined): boolean {
  return (text?.trim() ?? '') !== '';
}

/** 32 bytes out of the hex that the seed is kept as. */
export function seedBytes(text: string): Uint8Array {
  return Buffer.from(text.replace(/^0x/, ''), 'hex');
}
