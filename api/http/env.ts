import type { HttpBindings } from '@hono/node-server';

/** What a request carries through the REST skin. Bindings are absent when a test calls the app directly. */
export type ApiEnv = { Variables: { requestId: string }; Bindings: Partial<HttpBindings> };
