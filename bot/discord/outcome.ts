import { DiscordAPIError } from 'discord.js';
import { z } from 'zod';
import type { DiscordMessage } from '../../core/discord/message.ts';

/** What Discord answered; a call whose effect is unknown rejects instead. */
export type Outcome<T> = { kind: 'done'; value: T } | { kind: 'refused'; status: number; code: number };

/** Codes of refusals that mean something here (Discord API, "Opcodes and Status Codes"). */
export const REFUSALS = {
  unknownMessage: 10_008,
  unknownWebhook: 10_015,
  alreadyAcknowledged: 40_060,
  invalidToken: 50_027,
} as const;

/** Errors of discord.js contain the requested address, and with it the token of an answer: neither is passed on. */
export async function outcomeOf(call: Promise<unknown>): Promise<Outcome<unknown>> {
  try {
    return { kind: 'done', value: await call };
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status < 500) {
      return { kind: 'refused', status: error.status, code: Number(error.code) };
    }
    throw new Error(`Discord gave no answer (${error instanceof Error ? error.name : 'no error'})`);
  }
}

export const messageSchema = z.looseObject({ id: z.string(), flags: z.int().optional() });

export function idOf(outcome: Outcome<unknown>): Outcome<string> {
  return outcome.kind === 'refused' ? outcome : { kind: 'done', value: messageSchema.parse(outcome.value).id };
}

export const EPHEMERAL = 64;
export type NewMessage = DiscordMessage & { isPrivate?: boolean };

/** No message of the bot notifies a phone: receipts do that. */
export function toBody({ isPrivate, ...shown }: NewMessage): object {
  return { ...shown, allowed_mentions: { parse: [] }, ...(isPrivate === true ? { flags: EPHEMERAL } : {}) };
}

const ATTEMPTS_MAX = 3;

/**
 * A broken connection does not say whether Discord got the call; repeating it does. Only for calls that have the same
 * effect once or twice, whatever is shown in between.
 */
export async function untilKnown<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
