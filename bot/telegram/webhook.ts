import { createHash, timingSafeEqual } from 'node:crypto';
import { type Bot, webhookCallback } from 'grammy';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { orNull } from '../../queue/deadline.ts';

/** Under the service's own address. */
export const WEBHOOK_PATH = '/telegram/webhook';

const update = z.looseObject({ update_id: z.int() });

const BODY_BYTES_MAX = 256 * 1_024;
const SECRET_HEADER = 'x-telegram-bot-api-secret-token';
/** Telegram waits longer, and sends again what it has no answer for. */
const ANSWER_LIMIT_MS = 20_000;

/** The other way in: Telegram calls. It is answered when the update is written down, or not well and calls again. */
export function createWebhook(bot: Bot, secret: string, answerLimitMs = ANSWER_LIMIT_MS): Hono {
  const app = new Hono();
  // With a limit of grammy's what fails after it would be a rejection that nobody handles, and end the process.
  const handle = webhookCallback(bot, 'std/http', { timeoutMilliseconds: Infinity });
  app.post(WEBHOOK_PATH, bodyLimit({ maxSize: BODY_BYTES_MAX }), async (context): Promise<Response> => {
    if (!isFromTelegram(context.req.raw, secret)) return context.body(null, 401);
    // Until Telegram has said who we are, nobody knows which commands are meant for us.
    if (!bot.isInited()) return context.body(null, 503);
    const body = await context.req.text();
    if (!isUpdate(body)) return context.body(null, 400);
    const { url, headers } = context.req.raw;
    const answer = handle(new Request(url, { method: 'POST', headers, body }));
    return (await orNull(answer, answerLimitMs)) ?? context.body(null, 503);
  });
  return app;
}

/** What is none came from something between Telegram and us, and would come again for ever as an error. */
function isUpdate(text: string): boolean {
  try {
    return update.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** Only Telegram was told the secret. */
export function isFromTelegram({ headers }: Request, secret: string): boolean {
  return isSame(headers.get(SECRET_HEADER) ?? '', secret);
}

/** Hashed first, so that neither length nor content shows in the time. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}
