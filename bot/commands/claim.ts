import { claimUrl } from '../../core/payments/answers.ts';
import { recipientName } from '../../core/platforms/recipient-name.ts';
import { findPlatform, isProvenBy } from '../../core/platforms/platforms.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import type { Action, View } from '../../core/view.ts';
import { acceptGivers, waitingGivers } from '../../db/tips/accepted.ts';
import { identitiesOf } from '../tips/blocking.ts';
import type { ChatAccount, ClaimAnswer } from '../requests/chat-claims.ts';
import { newButton } from '../conversation/buttons.ts';
import { FILE_MINUTES, newPurseLink } from '../conversation/files.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { readRecipient } from '../../core/grammar/recipient.ts';
import { nameMistake } from '../../core/grammar/names.ts';
import type { Origin, TextEvent } from '../shared/messenger.ts';
import { mistakeView } from '../conversation/mistake-view.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

const EXAMPLE_NAMES = ['x:alice', 'github:alice', 'alice@example.com'];
const otherNames = EXAMPLE_NAMES.map((name) => tryCommand(`/claim ${name}`));

/** Null where no chat platform vouches for the person, such as a visitor of the web chat. */
export function chatAccountOf(userId: string): ChatAccount | null {
  const [, prefix = '', id = ''] = /^([a-z]+):([1-9][0-9]{0,19})$/.exec(userId) ?? [];
  const platform = findPlatform(prefix);
  return platform !== null && isProvenBy(platform, 'chat') ? { platform, id } : null;
}

/** What waits: for this account, which the platform vouches for, or under another name, which is proven on a page. */
export async function claimView(deps: CoreDeps, event: TextEvent, name: string | null): Promise<View> {
  const account = chatAccountOf(event.userId);
  if (name !== null) return namedView(deps, event, name, ({ texts }) => [texts.collectElsewhere()], '/claim');
  if (account === null) return privateView('ok', [deps.texts.collectWhich()], otherNames);
  const claim = await deps.claims.open(account);
  if (claim.kind !== 'done') return failedView(deps, claim);
  const { claimId, total } = claim;
  const { texts } = deps;
  // Also when nothing waits: from then on tips come by themselves, and a person who refused tips gets them again.
  const label = total === 0n ? texts.receiveHere() : texts.keepHere(total);
  const button = await newButton(deps, event.userId, { action: 'keep_claim', claimId }, label);
  if (total > 0n) return privateView('ok', [texts.waitsForYou(total)], [button]);
  return privateView('ok', [texts.nothingWaits()], [button, ...otherNames]);
}

/** The person's confirmation. Pressed again it answers the same. */
export async function keepClaimView(
  deps: Pick<CoreDeps, 'claims' | 'texts' | 'store' | 'clock'>,
  { userId }: Origin,
  claimId: string,
): Promise<View> {
  const account = chatAccountOf(userId);
  if (account === null) throw new Error(`${userId} is no account that a claim could be kept for`);
  const { store, clock } = deps;
  // Before it is kept: then it waits no more. A recipient who takes a giver's money reads the note, too.
  const giverIds = await waitingGivers(store, await identitiesOf(deps, userId));
  await acceptGivers(store, { userId, giverIds }, clock.now());
  const kept = await deps.claims.keep(claimId, account);
  if (kept.kind !== 'done') return failedView(deps, kept);
  return privateView(
    'ok',
    [kept.noRoom === true ? deps.texts.keptNoRoom() : deps.texts.kept()],
    [tryCommand('/balance')],
  );
}

/** How what is kept for another name of this person is used in this chat, and the other way round. */
export async function linkView(deps: CoreDeps, event: TextEvent, name: string | null): Promise<View> {
  const { texts } = deps;
  // Where the chat is in the browser, a page keeps money for both.
  if (chatAccountOf(event.userId) !== null) {
    const page = await newPurseLink(deps, event.userId, texts.openPage());
    return privateView('ok', [texts.linkChat(), texts.linkLasts(FILE_MINUTES)], [page]);
  }
  if (name === null) {
    return privateView(
      'ok',
      [texts.linkWhich()],
      EXAMPLE_NAMES.map((known) => tryCommand(`/link ${known}`)),
    );
  }
  return namedView(deps, event, name, (_, shown) => [texts.linkKeep(shown)], '/link');
}

export function failedView(
  { texts }: Pick<CoreDeps, 'texts'>,
  claim: Exclude<ClaimAnswer<unknown>, { kind: 'done' }>,
): View {
  const said = claim.kind === 'unreachable' ? texts.claimUnreachable() : texts.claimRefused();
  return privateView('error', [said], [tryCommand('/claim')]);
}

type Words = (deps: CoreDeps, name: string) => View['paragraphs'];

function namedView(deps: CoreDeps, event: TextEvent, name: string, words: Words, command: string): View {
  const reading = readRecipient(name, event.context ?? {});
  if (reading.kind !== 'recipient') {
    const mistake = nameMistake(reading.kind === 'mistake' ? reading : { code: 'which_network', found: name });
    const [first, ...more] = mistake.examples.map((example) => asCommand(example, command));
    return mistakeView(deps, { ...mistake, examples: [first ?? `${command} x:alice`, ...more] });
  }
  const { recipient } = reading;
  const page = pageFor(deps, recipient, deps.texts.openPage());
  return privateView('ok', words(deps, recipientName(recipient)), [page]);
}

/** `/tip x:alice 1` → `/claim x:alice`. */
function asCommand(example: string, command: string): string {
  return `${command} ${example.split(' ')[1] ?? 'x:alice'}`;
}

function pageFor({ publicUrl }: Pick<CoreDeps, 'publicUrl'>, { platform, key }: Recipient, label: string): Action {
  return { kind: 'link', label, url: claimUrl(publicUrl, platform, key) };
}
