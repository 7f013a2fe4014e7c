import type { Bot as Listener } from 'grammy';
import { isRenumbered } from '../../core/treasury/treasury.ts';
import { forgetMenu, noteMenu, shownMenus } from '../../db/communities/community-menus.ts';
import type { Store } from '../../db/store/store.ts';
import type { Pace } from '../outbox/pace.ts';
import { createMenuCalls } from './calls.ts';
import { createShowingApi, type ClientOptions } from './client.ts';
import type { BotRight } from '../shared/messenger.ts';
import { createGroupMenus, type GroupMenus, type GroupMenusDeps } from './menu/groups.ts';
import type { MenuMemory } from './menu/lines.ts';
import { lackedBy } from './moderators.ts';
import { TELEGRAM_TRANSPORT } from './place.ts';

type Deps = Pick<GroupMenusDeps, 'isMine' | 'limits' | 'clock' | 'log'> & {
  store: Store;
  isHere?: ((command: string) => boolean) | undefined;
  pace: Pace;
  /** What the bot is called and may do everywhere is known once it listens. */
  self: () => Listener['botInfo'];
};

/** The menus of single groups, with the calls that they need. */
export function createTelegramMenus(client: ClientOptions, deps: Deps): GroupMenus {
  const { self, isHere = () => true } = deps;
  const calls = createMenuCalls(createShowingApi(client), deps.log);
  return createGroupMenus({
    ...deps,
    ...calls,
    isHere,
    memory: createMemory(deps.store),
    plainLacks: () => lackedBy({ status: 'member' }, self()),
    hasTreasury: (chat) => !isRenumbered({ transport: TELEGRAM_TRANSPORT, communityId: String(chat) }),
    async lacksIn(chat) {
      const answer = await calls.member(chat, self().id);
      if (answer.kind !== 'done') return answer;
      const { status } = answer.result;
      return {
        kind: 'done',
        result: status === 'left' || status === 'kicked' ? null : lackedBy(answer.result, self()),
      };
    },
  });
}

const RIGHTS: readonly BotRight[] = ['member', 'write', 'read'];

function createMemory(store: Store): MenuMemory {
  const communityOf = (chat: number) => ({ transport: TELEGRAM_TRANSPORT, communityId: String(chat) });
  return {
    async read(chats) {
      const shown = await shownMenus(store, TELEGRAM_TRANSPORT, chats.map(String));
      const toRights = (lacks: readonly string[]) => RIGHTS.filter((right) => lacks.includes(right));
      return new Map([...shown].map(([id, { lacks, menuHash }]) => [Number(id), { lacks: toRights(lacks), menuHash }]));
    },
    write: (chat, shown) => noteMenu(store, communityOf(chat), shown),
    forget: (chat) => forgetMenu(store, communityOf(chat)),
  };
}
