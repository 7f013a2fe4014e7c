/** Everything that a method or the driver needs, in one place. */
import type { BotCommand, Update } from 'grammy/types';
import type { CallLog } from './call-log.ts';
import type { Faults } from './faults.ts';
import type { Files } from './files.ts';
import type { Flood } from './flood.ts';
import type { Queue } from './queue.ts';
import type { Webhook } from './webhook.ts';
import type { World } from './world.ts';

export type CallbackAnswer = { text: string; showAlert: boolean; url: string | null; atMs: number };

/** A press on a button, until it is answered or too old. */
export type Press = {
  queryId: string;
  userId: number;
  chatId: number;
  messageId: number;
  onEphemeral: boolean;
  pressedAtMs: number;
  update: Update | null;
  answer: CallbackAnswer | null;
};

export type CommandList = { scope: string; languageCode: string; commands: BotCommand[] };

export type Timing = {
  /** How long a press may be answered. Telegram names no number; bots see the refusal after some 15 seconds. */
  queryLifeMs: number;
  /** How long after a press or an ephemeral command any bot may answer ephemerally: 15 seconds, as documented. */
  ephemeralWindowMs: number;
};

export type Platform = {
  world: World;
  queue: Queue;
  webhook: Webhook;
  flood: Flood;
  files: Files;
  faults: Faults;
  log: CallLog;
  presses: Map<string, Press>;
  commandLists: CommandList[];
  timing: Timing;
};
