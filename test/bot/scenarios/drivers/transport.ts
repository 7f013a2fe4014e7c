import type { Harness } from '../../harness.ts';
import type { ChatDriver } from './chat-driver.ts';

/** A transport's outer side, which stays when the bot's process ends, and how a process connects to it. */
export type Transport = {
  driver: ChatDriver;
  /** Brings its messenger into the core's dependencies and begins to listen; resolves once it does. */
  connect: (harness: Harness) => Promise<Connection>;
};
export type Connection = {
  /** Hears nothing more; what was heard is in the database then. */
  stopHearing: () => Promise<void>;
  close: () => Promise<void>;
  /** Nothing waits to be shown. */
  isQuiet: () => boolean;
};
