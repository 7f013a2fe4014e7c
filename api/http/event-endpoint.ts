import { AppError } from '../../core/errors.ts';
import { ENDPOINT_ID } from '../../core/events/events.ts';

/** Names the endpoint that is told what becomes of a payment. It is no part of the request. */
export const EVENT_ENDPOINT_HEADER = 'Event-Endpoint';

/** The id in it; null where there is none. */
export function eventEndpointOf(c: { req: { header: (name: string) => string | undefined } }): string | null {
  const id = c.req.header(EVENT_ENDPOINT_HEADER);
  if (id === undefined || id === '') return null;
  if (ENDPOINT_ID.test(id)) return id;
  const detail = 'An endpoint is named by its id, such as ep_ and 22 characters.';
  throw new AppError('event_endpoint_not_found', { field: EVENT_ENDPOINT_HEADER, detail });
}
