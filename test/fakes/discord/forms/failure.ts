/** Discord's JSON errors: HTTP status, code and text as its API answers them. */
const FAILURES = {
  unauthorized: [401, 0, '401: Unauthorized'],
  notFound: [404, 0, '404: Not Found'],
  methodNotAllowed: [405, 0, '405: Method Not Allowed'],
  unknownChannel: [404, 10003, 'Unknown Channel'],
  unknownGuild: [404, 10004, 'Unknown Guild'],
  unknownMember: [404, 10007, 'Unknown Member'],
  unknownMessage: [404, 10008, 'Unknown Message'],
  unknownRole: [404, 10011, 'Unknown Role'],
  unknownUser: [404, 10013, 'Unknown User'],
  unknownEmoji: [400, 10014, 'Unknown Emoji'],
  unknownWebhook: [404, 10015, 'Unknown Webhook'],
  unknownApplication: [404, 10002, 'Unknown Application'],
  unknownInteraction: [404, 10062, 'Unknown interaction'],
  unknownCommand: [404, 10063, 'Unknown application command'],
  tooManyReactions: [400, 30010, 'Maximum number of reactions reached (20)'],
  tooManyCommands: [400, 30032, 'Maximum number of application commands reached'],
  bodyTooLarge: [413, 40005, 'Request entity too large'],
  alreadyAcknowledged: [400, 40060, 'Interaction has already been acknowledged.'],
  tooManyFollowUps: [400, 40094, 'This interaction has hit the maximum number of follow up messages.'],
  missingAccess: [403, 50001, 'Missing Access'],
  notYourMessage: [403, 50005, 'Cannot edit a message authored by another user'],
  emptyMessage: [400, 50006, 'Cannot send an empty message'],
  cannotMessageUser: [403, 50007, 'Cannot send messages to this user'],
  missingPermissions: [403, 50013, 'Missing Permissions'],
  invalidWebhookToken: [401, 50027, 'Invalid Webhook Token'],
  invalidRecipient: [400, 50033, 'Invalid Recipient(s)'],
  invalidApiVersion: [400, 50041, 'Invalid API version'],
  invalidJson: [400, 50109, 'The request body contains invalid JSON.'],
  noMutualGuild: [403, 50278, 'Cannot send messages to this user due to having no mutual guilds'],
} as const satisfies Record<string, readonly [number, number, string]>;

export type FailureName = keyof typeof FAILURES;

/** A refusal as Discord words it; the server turns it into the answer. */
export class Failure extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: object | null;

  constructor(status: number, code: number, message: string, errors: object | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

export function failure(name: FailureName): Failure {
  const [status, code, text] = FAILURES[name];
  return new Failure(status, code, text);
}
