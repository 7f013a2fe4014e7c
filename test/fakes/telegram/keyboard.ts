/**
 * Inline keyboards, with Telegram's limits. Custom keyboards, games and logins are not modelled, so refused. Mini Apps are
 * refused whatever Telegram takes: this bot has none.
 */
import type { InlineKeyboardMarkup } from 'grammy/types';
import { z } from 'zod';
import { structure } from './parameters.ts';
import { badRequest } from './refusal.ts';
import { refuseMiniApp } from './text/mini-app.ts';
import { isAcceptableUrl } from './text/url.ts';

const BUTTONS_MAX = 100;
const BUTTONS_PER_ROW_MAX = 8;
const DATA_BYTES_MAX = 64;
const COPY_TEXT_CHARACTERS_MAX = 256;

const label = { text: z.string().min(1), style: z.enum(['danger', 'success', 'primary']).optional() };

export const inlineKeyboard = structure(
  z.strictObject({
    inline_keyboard: z.array(
      z.array(
        z.union([
          z.strictObject({ ...label, callback_data: z.string() }),
          z.strictObject({ ...label, url: z.string() }),
          z.strictObject({ ...label, copy_text: z.strictObject({ text: z.string() }) }),
          z.strictObject({ ...label, disabled: z.strictObject({}) }),
        ]),
      ),
    ),
    force_reply: z.boolean().optional(),
  }),
);

/** What sending takes besides: a prompt to answer the message. */
export const replyMarkup = z.union([
  inlineKeyboard,
  structure(
    z.strictObject({
      force_reply: z.literal(true),
      input_field_placeholder: z.string().min(1).max(64).optional(),
      selective: z.boolean().optional(),
    }),
  ),
]);

/** The keyboard to store with a message; undefined when there is no button in it. */
export function readKeyboard(markup: z.infer<typeof replyMarkup> | undefined): InlineKeyboardMarkup | undefined {
  if (!markup || !('inline_keyboard' in markup)) return undefined;
  const rows = markup.inline_keyboard.filter((row) => row.length > 0);
  const buttons = rows.flat();
  if (buttons.length > BUTTONS_MAX || rows.some((row) => row.length > BUTTONS_PER_ROW_MAX)) {
    throw badRequest('reply markup is too long');
  }
  for (const button of buttons) checkButton(button);
  return rows.length === 0 ? undefined : { ...markup, inline_keyboard: rows };
}

function checkButton(button: z.infer<typeof inlineKeyboard>['inline_keyboard'][number][number]): void {
  if ('callback_data' in button) {
    const bytes = Buffer.byteLength(button.callback_data, 'utf8');
    if (bytes < 1 || bytes > DATA_BYTES_MAX) throw badRequest('BUTTON_DATA_INVALID');
  }
  if ('url' in button) refuseMiniApp(button.url);
  if ('url' in button && !isAcceptableUrl(button.url)) {
    throw badRequest(`inline keyboard button URL '${button.url}' is invalid: Wrong HTTP URL`);
  }
  if ('copy_text' in button) {
    const { length } = button.copy_text.text;
    if (length < 1 || length > COPY_TEXT_CHARACTERS_MAX) throw badRequest('BUTTON_COPY_TEXT_INVALID');
  }
}
