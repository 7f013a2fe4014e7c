/**
 * A local Telegram: a server that speaks the Bot API to an unmodified grammY (`client: { apiRoot: telegram.url }`), and a
 * driver by which a test is the people on the other side. It is strict: parameters that the real one would ignore are
 * refused, unless `strict` is false.
 */
import type { Update, UserFromGetMe } from 'grammy/types';
import { createCallLog } from './call-log.ts';
import { type Acting, createActing } from './driver/acting.ts';
import { type People, createPeople } from './driver/people.ts';
import { type Reading, createReading } from './driver/reading.ts';
import { type SetFault, type TelegramFault, createFaults } from './faults.ts';
import { createFiles } from './files.ts';
import { type FloodLimits, USUAL_LIMITS, createFlood } from './flood.ts';
import { findMethod } from './methods/table.ts';
import type { Platform, Timing } from './platform.ts';
import { createQueue } from './queue.ts';
import { startServer } from './server.ts';
import { createWebhook } from './webhook.ts';
import { createWorld } from './world.ts';

export type FakeTelegramOptions = {
  token?: string;
  botUsername?: string;
  botName?: string;
  port?: number;
  /** Refuse unknown parameters, which the real one ignores. True, unless told. */
  strict?: boolean;
  /** Telegram's, unless told; null has none. */
  limits?: FloodLimits | null;
  /** Whether the bot in a group sees only what is meant for it. True, unless told. */
  privacyMode?: boolean;
  nowMs?: () => number;
  timing?: Partial<Timing>;
};

export type FakeTelegram = Acting &
  People &
  Reading & {
    /** For grammY's `client.apiRoot`. */
    url: string;
    token: string;
    bot: UserFromGetMe;
    /** The bot gets this update once more, with the same update_id. */
    redeliver: (update: Update) => void;
    /** From now on every update comes three times: twice more after the bot has confirmed it. */
    deliverThrice: (on: boolean) => void;
    /** Hits the next `times` calls of a method, or of all with `*`. */
    fail: (method: string, fault: TelegramFault, times?: number) => SetFault;
    /** Breaks the connections of polls under way; answers how many there were. */
    cutPolls: () => number;
    close: () => Promise<void>;
  };

const TIMING: Timing = { queryLifeMs: 15_000, ephemeralWindowMs: 15_000 };

export async function startFakeTelegram(options: FakeTelegramOptions = {}): Promise<FakeTelegram> {
  const token = options.token ?? '7000000001:AAfakefakefakefakefakefakefakefakefa';
  const nowMs = options.nowMs ?? Date.now;
  const world = createWorld(createBot(token, options), nowMs);
  const queue = createQueue(nowMs);
  const platform: Platform = {
    world,
    queue,
    webhook: createWebhook(queue, nowMs),
    flood: createFlood(options.limits === undefined ? USUAL_LIMITS : options.limits, nowMs),
    files: createFiles(),
    faults: createFaults(),
    log: createCallLog(),
    presses: new Map(),
    commandLists: [],
    timing: { ...TIMING, ...options.timing },
  };
  const server = await startServer(platform, { token, strict: options.strict ?? true, port: options.port ?? 0 });

  return {
    ...createActing(platform),
    ...createPeople(platform),
    ...createReading(platform),
    url: server.url,
    token,
    bot: world.bot,
    redeliver: queue.redeliver,
    deliverThrice: (on) => queue.deliverTimes(on ? 3 : 1),
    fail(method, fault, times) {
      // A fault of a method that nobody can call would never fire.
      if (method !== '*' && findMethod(method)?.name !== method) throw new Error(`there is no method "${method}"`);
      return platform.faults.set(method, fault, times);
    },
    cutPolls: server.cutPolls,
    async close() {
      await platform.webhook.close();
      await server.close();
    },
  };
}

function createBot(token: string, options: FakeTelegramOptions): UserFromGetMe {
  return {
    id: Number(token.split(':')[0]),
    is_bot: true,
    first_name: options.botName ?? 'Test bot',
    username: options.botUsername ?? 'test_bot',
    can_join_groups: true,
    can_read_all_group_messages: !(options.privacyMode ?? true),
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  };
}
