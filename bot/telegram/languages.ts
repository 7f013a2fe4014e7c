import type { Language } from '../core/texts/languages.ts';
import { descriptionsDe, telegramTextsDe } from './texts-de.ts';
import { descriptionsEs, telegramTextsEs } from './texts-es.ts';
import { descriptionsJa, telegramTextsJa } from './texts-ja.ts';
import { descriptionsPt, telegramTextsPt } from './texts-pt.ts';
import { telegramTextsEn, type COMMANDS, type TelegramTexts } from './texts.ts';

type Command = (typeof COMMANDS)[number];
type Spoken = { texts: TelegramTexts; descriptions: Readonly<Record<Command['name'], string>> };

/** English stands in `texts.ts`. A language that the bot speaks needs a row here, which the compiler asks for. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, Spoken>> = {
  es: { texts: telegramTextsEs, descriptions: descriptionsEs },
  de: { texts: telegramTextsDe, descriptions: descriptionsDe },
  pt: { texts: telegramTextsPt, descriptions: descriptionsPt },
  ja: { texts: telegramTextsJa, descriptions: descriptionsJa },
};

const BY_TAG = new Map<string, Spoken>(Object.entries(OTHERS));

/** By the primary tag (`findLanguage` gives it); English for every other. */
export function telegramTextsIn(language: string | null): TelegramTexts {
  return BY_TAG.get(language ?? 'en')?.texts ?? telegramTextsEn;
}

/** What the menu says of a command. */
export function describeCommand({ name, description }: Command, language: string | null): string {
  return BY_TAG.get(language ?? 'en')?.descriptions[name] ?? description;
}
