import type { HttpBindings } from '@hono/node-server';
import type { CallerConnection } from '../responses/responses.ts';

/** What a request carries through the REST skin. Bindings are absent when a test calls the app directly. */
export type ApiEnv = {
  Variables: {
    requestId: string;
    connection?: CallerConnection;
    /** Its caller is over the limit for this long; only a proof that is known may still be answered. */
    overLimitSeconds?: number;
  };
  Bindings: Partial<HttpBindings>;
};
