/**
 * What a person can do and see in a chat, whichever one it is. A scenario speaks to this and to nothing else of a
 * transport, so that one suite holds for all of them.
 */
export type Means = {
  /** Several people read along in one place. */
  groups: boolean;
  /** A member of the place is chosen or mentioned, instead of being written as a name. */
  mentions: boolean;
  /** A tip answers a member's message. */
  replies: boolean;
  /** One answer under a tipped message counts what it has brought. */
  summaries: boolean;
  /** A name without a network is a name on this platform. */
  bareNames: boolean;
  /** A command is text that may be wrong in any way; else the client composes it from fields. */
  freeText: boolean;
  /** The platform says who the sender is, so that money sent to this account can be collected without a proof. */
  accounts: boolean;
  /** The platform says which language the person reads. */
  clientLanguage: boolean;
  /** Programs have accounts like people. */
  programs: boolean;
};

/** `handle`: by which the platform finds them, where scenes have any. */
export type Person = { id: string; name: string; handle?: string };
/** `elsewhere`: another channel or topic of the same community. */
export type Where = 'group' | 'elsewhere' | 'direct';

/** A message as one person sees it now. */
export type Shown = {
  id: string;
  /** The words, as the client shows them. */
  text: string;
  /** What the client made of them beside words: `bold`, `code` and `small` are ours; `mention`, `link`, … */
  marks: readonly string[];
  /** What stands there in code or on a button and begins with a slash: commands to try. */
  examples: readonly string[];
  buttons: readonly string[];
  /** What each of them sends. */
  buttonIds: ReadonlyMap<string, string>;
  links: readonly { label: string; url: string }[];
  /** Nobody else can read it. */
  isPrivate: boolean;
  /** The member's message that it answers. */
  answers: string | null;
};

export type SayOptions = {
  where?: Where;
  /** Those whose `@Name` in the text is a mention of the platform. */
  mentioning?: readonly Person[];
  /** A message by `post`. */
  replyTo?: string;
};

/** What a member did, as the platform delivered it. */
export type Said = {
  /** The platform delivers it once more. */
  again: () => Promise<void>;
};

/** People in one place, whom nobody else's test knows. */
export type Scene = {
  alice: Person;
  bob: Person;
  carl: Person;
  /** Null where programs have no accounts. */
  robot: Person | null;
  /** Who runs the place; null where nobody does. */
  moderator: Person | null;
  /** From now on this person moderates beside the moderator, or no more. */
  letModerate: (person: Person, may: boolean) => void;
  say: (person: Person, text: string, options?: SayOptions) => Promise<Said>;
  /** `forged`: sends what the button sent when it was shown, also where this person's client shows it not, or no more. */
  press: (person: Person, message: Shown, label: string, options?: { forged?: boolean }) => Promise<Said>;
  /** A member's message to the others; answers its id. */
  post: (person: Person, text: string) => Promise<string>;
  /** What the bot says to this person, the place's and the private chat's messages, oldest first. */
  shown: (person: Person) => Shown[];
  /** Each text that this person could ever read, those that were edited or taken back as well. */
  everRead: (person: Person) => string[];
  /** How many messages have notified this person's phone. */
  rung: (person: Person) => number;
  close: () => Promise<void>;
};

export type SceneOptions = {
  /** What the platform says that these people read, where it says so. */
  language?: string;
  /** People have a name by which the platform finds them, where it has such. */
  hasHandles?: boolean;
  /** The bot has no right there that it can do without. */
  isPlain?: boolean;
};

export type ChatDriver = {
  means: Means;
  open: (options?: SceneOptions) => Promise<Scene>;
  /** From now on the platform delivers every event so often. */
  deliverTimes: (times: 1 | 3) => void;
  /** What the platform refused of what the bot asked for: a correct bot has none. */
  refused: () => unknown[];
  close: () => Promise<void>;
};
