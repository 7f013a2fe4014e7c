/**
 * What the Bot API answers instead of a result. The texts are those of the open-source Bot API server where it has one;
 * nobody may decide by them, but people read them in logs, and grammY shows them.
 */
export class Refusal extends Error {
  readonly errorCode: number;
  readonly parameters: { retry_after?: number };

  constructor(errorCode: number, description: string, parameters: { retry_after?: number } = {}) {
    super(description);
    this.name = 'Refusal';
    this.errorCode = errorCode;
    this.parameters = parameters;
  }
}

export const badRequest = (what: string) => new Refusal(400, `Bad Request: ${what}`);

export const forbidden = (what: string) => new Refusal(403, `Forbidden: ${what}`);

export const conflict = (what: string) => new Refusal(409, `Conflict: ${what}`);

export const tooManyRequests = (seconds: number) =>
  new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
