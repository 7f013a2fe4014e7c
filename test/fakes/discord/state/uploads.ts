import { failure } from '../forms/failure.ts';
import { formFailure } from '../forms/form.ts';
import type { MessageBody } from '../forms/messages.ts';
import type { Attachment, World } from './world.ts';

/** A file of a multipart request: `files[0]` has the place 0. */
export type Upload = { place: number; filename: string; contentType: string; bytes: Buffer };

/**
 * The attachments after a request. The list in the body names what is new (by its place) and what stays (by its id);
 * without a list everything new is added and everything old stays.
 */
export function mergeAttachments(
  world: World,
  old: readonly Attachment[],
  body: MessageBody,
  uploads: readonly Upload[],
): Attachment[] {
  if (uploads.some(({ bytes }) => bytes.length > world.settings.attachmentBytesMax)) throw failure('bodyTooLarge');
  const listed = body.attachments;
  if (listed === undefined) return [...old, ...uploads.map((upload) => toAttachment(world, upload))];
  return (listed ?? []).map((entry, index) => {
    const upload = uploads.find(({ place }) => String(place) === entry.id);
    if (upload) return { ...toAttachment(world, upload), ...described(entry.description) };
    const kept = old.find(({ id }) => id === entry.id);
    if (kept) return kept;
    throw formFailure([
      {
        path: ['attachments', index, 'id'],
        code: 'ATTACHMENT_NOT_FOUND',
        message: 'The request has no file of this place, and the message no attachment of this id.',
      },
    ]);
  });
}

function toAttachment(world: World, { filename, contentType, bytes }: Upload): Attachment {
  // Discord keeps letters, digits, dots, dashes and underscores of a name.
  return { id: world.nextId(), filename: filename.replaceAll(/[^\w.-]/g, '_'), contentType, bytes };
}

function described(description: string | null | undefined): { description?: string } {
  return description === undefined || description === null ? {} : { description };
}
