import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../texts/languages.ts';
import { telegramEn, type TelegramTexts } from '../../texts/telegram/en.ts';
import { telegramTextsIn } from '../../texts/telegram/languages.ts';

/** The text of a notice over the chat (Bot API, answerCallbackQuery). */
const NOTICE_CHARACTERS_MAX = 200;
/** Of a command in the menu; Telegram allows 256 and Discord 100. */
const DESCRIPTION_CHARACTERS_MAX = 100;

const sentencesOf = (texts: TelegramTexts) =>
  Object.values(texts).flatMap((text) => (typeof text === 'function' ? [text()] : []));
const english = [...sentencesOf(telegramEn), ...Object.values(telegramEn.commands)];

describe.each(Object.keys(LANGUAGES).filter((tag) => tag !== 'en'))('%s', (tag) => {
  const sentences = sentencesOf(telegramTextsIn(tag));
  const descriptions = Object.values(telegramTextsIn(tag).commands);

  test('says everything in its own words', () => {
    expect([...sentences, ...descriptions].filter((text) => english.includes(text))).toEqual([]);
    expect(sentences).toHaveLength(sentencesOf(telegramEn).length);
    expect(descriptions.filter((text) => text.includes('/tip @alice 1'))).toHaveLength(1);
  });

  test('fits where it is shown', () => {
    expect(sentences.filter((text) => text.length > NOTICE_CHARACTERS_MAX)).toEqual([]);
    expect(descriptions.filter((text) => text.length > DESCRIPTION_CHARACTERS_MAX)).toEqual([]);
  });
});

test.each([null, 'en', 'fr', 'constructor'])('what has no language of its own (%s) is English', (language) => {
  expect(telegramTextsIn(language)).toBe(telegramEn);
});
