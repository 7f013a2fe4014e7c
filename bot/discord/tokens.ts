import { isTokenAlive, type Answer } from '../../core/discord/answer.ts';

const KEPT_MAX = 10_000;

/** A token, and what the message is called with it. */
export type Key = { token: string; messageId: string };

/**
 * A press brings a token of its own for its message, which is younger than the one the message was made with. It is
 * lost with the process: then the old one counts, or none.
 */
export type Tokens = {
  note: (messageId: string, press: { id: string; token: string }) => void;
  /** Null when none is left that opens this message. */
  find: (answer: Answer) => Key | null;
};

export function createTokens(now: () => number): Tokens {
  const younger = new Map<string, { id: string; token: string }>();
  return {
    note(messageId, { id, token }) {
      younger.delete(messageId);
      younger.set(messageId, { id, token });
      const [oldest] = younger.keys();
      if (younger.size > KEPT_MAX && oldest !== undefined) younger.delete(oldest);
    },
    find({ messageId, interactionId, token, via }) {
      if (isTokenAlive(interactionId, now())) return { token, messageId: via === 'reply' ? '@original' : messageId };
      const press = younger.get(messageId);
      return press && isTokenAlive(press.id, now()) ? { token: press.token, messageId: '@original' } : null;
    },
  };
}
