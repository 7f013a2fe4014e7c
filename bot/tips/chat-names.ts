import { findPlatform, platformRow } from '../../core/platforms/platforms.ts';
import { recipientName } from '../../core/platforms/recipient-name.ts';
import { formatRecipient, parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import type { Tip } from '../../core/grammar/tip.ts';
import type { View } from '../../core/view.ts';
import { PERSON_SURE_MS } from '../../core/communities/people.ts';
import { bearersOf, notePeople, type Bearer } from '../../db/communities/community-people.ts';
import type { Community } from '../../db/communities/community-settings.ts';
import { within } from '../../queue/deadline.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView } from '../conversation/views.ts';
import type { TextEvent } from '../shared/messenger.ts';

type Deps = Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'messengers' | 'log'>;

const ASK_LIMIT_MS = 5_000;

/** The tip with nobody in it who could never collect; a view where that leaves a name open. */
export type Known = { kind: 'tip'; tip: Tip } | { kind: 'view'; view: View };

/**
 * Some platforms tell nobody whose a name is, so money for it could be collected by no one. There a name counts only in
 * a community where its bearer was seen with it, and becomes that person's id before anything is paid.
 */
export async function findBearers(deps: Deps, event: TextEvent, tip: Tip): Promise<Known> {
  const open = tip.recipients.filter((recipient) => !isPayable(recipient));
  if (open.length === 0) return { kind: 'tip', tip };
  const ids = await idsOf(deps, event, open);
  for (const recipient of open) {
    const bearer = ids.get(formatRecipient(recipient));
    if (bearer === undefined) return refusal(nobodyView(deps, event, recipient));
    if (bearer.isBot) return refusal(privateView('error', [deps.texts.botTip(recipientName(recipient))]));
  }
  const toId = (recipient: Recipient): Recipient => ids.get(formatRecipient(recipient))?.recipient ?? recipient;
  const [first, ...more] = tip.recipients;
  return { kind: 'tip', tip: { ...tip, recipients: [toId(first), ...more.map(toId)] } };
}

const refusal = (view: View): Known => ({ kind: 'view', view });

/** Whether the name can be looked up anywhere, or is the id itself. */
function isPayable({ platform, key }: Recipient): boolean {
  const { isUserId } = platformRow(platform);
  return isUserId === undefined || isUserId(key);
}

type Found = { recipient: Recipient; isBot: boolean };

async function idsOf(deps: Deps, event: TextEvent, open: readonly Recipient[]): Promise<Map<string, Found>> {
  const { transport, communityId } = event;
  const here = open.filter(({ platform }) => platform === findPlatform(transport));
  if (communityId === undefined) return new Map();
  const names = here.map(({ key }) => key);
  const bearers = await sureBearersOf(deps, { transport, communityId }, names);
  const found = here.flatMap((recipient): [string, Found][] => {
    const bearer = bearers.get(recipient.key);
    if (bearer === undefined) return [];
    const id = bearer.userId.slice(`${transport}:`.length);
    return [[formatRecipient(recipient), { recipient: parseRecipient(recipient.platform, id), isBot: bearer.isBot }]];
  });
  return new Map(found);
}

/** A name that was seen long ago may be another person's by now: the platform is asked, and without an answer it counts no more. */
async function sureBearersOf(deps: Deps, community: Community, names: readonly string[]): Promise<Map<string, Bearer>> {
  const { store, clock, messengers, log } = deps;
  const nowMs = clock.now();
  const known = await bearersOf(store, community, names, nowMs);
  const ask = messengers[community.transport]?.usernameOf;
  if (ask === undefined) return known;
  const isSure = ({ seenAtMs }: Bearer) => seenAtMs > nowMs - PERSON_SURE_MS;
  const old = [...known.values()].filter((bearer) => !isSure(bearer));
  if (old.length === 0) return known;
  const look = async ({ userId, isBot }: Bearer) => {
    try {
      const asked = ask(community.communityId, userId);
      const username = await within(asked, ASK_LIMIT_MS, 'asking for a name');
      await notePeople(store, community, [{ userId, username, isBot }], nowMs);
    } catch (error) {
      log.warn({ error: String(error) }, 'could not ask who bears a name');
    }
  };
  await Promise.all(old.map(look));
  const now = await bearersOf(store, community, names, nowMs);
  return new Map([...now].filter(([, bearer]) => isSure(bearer)));
}

/** What the person can do instead depends on where they are. */
function nobodyView({ texts }: Deps, { transport, communityId }: TextEvent, { platform, display }: Recipient): View {
  const isHome = findPlatform(transport) === platform;
  const name = `@${display}`;
  if (isHome && communityId !== undefined) return privateView('error', [texts.nobodyByName(name)]);
  return privateView('error', [texts.namesInGroups(name, platformRow(platform).title)]);
}
