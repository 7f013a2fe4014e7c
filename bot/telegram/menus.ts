import type { Bot as Listener } from 'grammy';
import { isRenumbered } from '../../core/treasury/treasury.ts';
import type { Pace } from '../outbox/pace.ts';
import { createMenuCalls } from './calls.ts';
import { createShowingApi, type ClientOptions } from './client.ts';
import { createGroupMenus, type GroupMenus, type GroupMenusDeps } from './menu/groups.ts';
import { lackedBy } from './moderators.ts';
import { TELEGRAM_TRANSPORT } from './place.ts';

type Deps = Pick<GroupMenusDeps, 'isMine' | 'limits' | 'clock' | 'log'> & {
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
