/** The message that answers an interaction, with all that any process needs to change it later. */
export type Answer = {
  /** Who sees it: everyone in the channel, one person (ephemeral), or both sides of a direct channel. */
  audience: 'everyone' | 'person' | 'direct';
  /** The answer itself, a message after a button was pressed, or one that the bot posted as a member. */
  via: 'reply' | 'followup' | 'post';
  interactionId: string;
  channelId: string;
  messageId: string;
  /** Discord's id of the person who asked. */
  userId: string;
  /** Opens the message for 15 minutes. Not to be logged. */
  token: string;
  /** The guild, whose settings may delete the message after a time; null outside guilds. */
  communityId: string | null;
};

/** Stands for a message that Discord did not let the bot post. It is never shown. */
export const NO_MESSAGE = '0';

const FORM = /^(everyone|person|direct) (reply|followup|post) ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+|-) (\S+)$/;

/** The id by which the core knows the message. */
export function formatAnswer(answer: Answer): string {
  const { audience, via, interactionId, channelId, messageId, userId, communityId, token } = answer;
  return [audience, via, interactionId, channelId, messageId, userId, communityId ?? '-', token].join(' ');
}

export function readAnswer(text: string): Answer {
  const [, audience, via, interactionId, channelId, messageId, userId, community, token] = FORM.exec(text) ?? [];
  const isComplete = interactionId && channelId && messageId && userId && community && token;
  // The text itself holds a token.
  if (!isComplete) throw new Error('a message of Discord has eight parts, and this one has not');
  return {
    audience: audience === 'everyone' || audience === 'person' ? audience : 'direct',
    via: via === 'reply' || via === 'post' ? via : 'followup',
    interactionId,
    channelId,
    messageId,
    userId,
    token,
    communityId: community === '-' ? null : community,
  };
}

/** Ids of Discord begin with the milliseconds since the first second of 2015 ("Snowflakes"). */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
/** A token lives 15 minutes; 20 seconds of them are left for the request. */
const TOKEN_MS = 15 * 60_000 - 20_000;

export function isTokenAlive(interactionId: string, nowMs: number): boolean {
  return nowMs < Number(BigInt(interactionId) >> 22n) + DISCORD_EPOCH_MS + TOKEN_MS;
}
