import { z } from 'zod';
import { KEPT_NAMES, type KeptName } from '../../core/config/networks.ts';
import { isKmsKey } from '../../core/config/keys.ts';
import { readValues, type Environment } from '../../core/config/variables.ts';

/** The content of an opened keystore. */
export type KeystoreContent = {
  /** By the names of the environment, in the same form. */
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

/** Reads sealed text, which this program wrote: anything else is a broken invariant. */
export function parseContent(text: string): KeystoreContent {
  return contentSchema.parse(JSON.parse(text));
}

/** The keys that are set. Throws with one line per problem, never with a value. */
export function readSecrets(env: Environment): KeystoreContent['secrets'] {
  const given = Object.fromEntries(
    KEPT_NAMES.flatMap((name) => (isSet(env[name]) && !isInKms(env[name]) ? [[name, env[name]?.trim()]] : [])),
  );
  const { problems } = readValues(given);
  if (problems.length === 0) return given;
  throw new Error(problems.map(({ name, found, wanted }) => `${name} is ${found}; ${wanted}`).join('\n'));
}

/** The keys that stay in KMS: where they are is no secret, and a keystore holds none of it. */
export function namesInKms(env: Environment): KeptName[] {
  return KEPT_NAMES.filter((name) => isInKms(env[name]));
}

function isInKms(text = ''): boolean {
  return text.split(',').every((one) => isKmsKey(one.trim()));
}

function isSet(text: string | undefined): boolean {
  return (text?.trim() ?? '') !== '';
}

/** 32 bytes out of the hex that the seed is kept as. */
export function seedBytes(text: string): Uint8Array {
  return Buffer.from(text.replace(/^0x/, ''), 'hex');
}
