import type { View } from '../../core/view.ts';
import { chooseLanguage, ensureUser } from '../../db/chats/users.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Origin } from '../shared/messenger.ts';
import { speaking } from '../conversation/speech.ts';
import { findLanguage, findNamedLanguage, LANGUAGE_TAGS, ownName, type Language } from '../../core/languages.ts';
import { privateView } from '../conversation/views.ts';

/** What is typed for "as my app says". */
const AS_APP = /^(?:app|auto|default)$/i;

/** Lists the languages, or takes the one that was named: by its tag or by its own name. */
export async function languageView(deps: CoreDeps, origin: Origin, choice: string | null): Promise<View> {
  if (choice === null) return listView(deps, origin, 'ok');
  if (AS_APP.test(choice)) return chooseLanguageView(deps, origin, null);
  const language = findNamedLanguage(choice);
  return language === null ? listView(deps, origin, 'error') : chooseLanguageView(deps, origin, language);
}

/** Confirms it in the language that counts from now on. */
export async function chooseLanguageView(deps: CoreDeps, origin: Origin, language: string | null): Promise<View> {
  const chosen = findLanguage(language);
  await remember(deps, origin, chosen);
  const { texts } = speaking(deps, chosen ?? findLanguage(origin.language));
  return privateView('ok', [chosen === null ? texts.speaksAsApp() : texts.speaksNow(ownName(chosen))]);
}

/** Also for a person whom no adapter has stored yet. */
async function remember(
  { store, networks, clock }: Pick<CoreDeps, 'store' | 'networks' | 'clock'>,
  origin: Origin,
  language: Language | null,
): Promise<void> {
  const { userId: id, transport } = origin;
  if (await chooseLanguage(store, id, language)) return;
  const walletAddress = await networks[0].addressOf(id);
  await ensureUser(store, { id, transport, walletAddress, createdAtMs: clock.now() });
  if (!(await chooseLanguage(store, id, language))) throw new Error(`chat user ${id} vanished`);
}

async function listView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'random' | 'clock'>,
  { userId }: Origin,
  state: 'ok' | 'error',
): Promise<View> {
  const { texts } = deps;
  const offers = [
    ...LANGUAGE_TAGS.map((language) => ({ language, label: ownName(language) })),
    { language: null, label: texts.asMyApp() },
  ];
  const buttons = await Promise.all(
    offers.map(({ language, label }) => newButton(deps, userId, { action: 'choose_language', language }, label)),
  );
  return privateView(state, [state === 'ok' ? texts.askLanguage() : texts.noSuchLanguage()], buttons);
}
