/** Files that the bot has sent, each under an id by which it may send them again. */
import type { Document, PhotoSize } from 'grammy/types';
import type { Upload } from './body.ts';
import { badRequest } from './refusal.ts';

export type StoredFile = { fileId: string; filename: string; bytes: Buffer; kind: 'photo' | 'document' };

export type Files = {
  /** Takes what a parameter names: an upload, `attach://` one, or a file_id from before. */
  resolve: (
    value: string | undefined,
    name: string,
    uploads: Map<string, Upload>,
    kind: StoredFile['kind'],
  ) => StoredFile;
  get: (fileId: string) => StoredFile | undefined;
};

const PHOTO_BYTES_MAX = 10 * 1024 * 1024;
const PHOTO_SIDES_MAX = 10_000;
const PHOTO_RATIO_MAX = 20;

export function createFiles(): Files {
  const files = new Map<string, StoredFile>();
  return {
    get: (fileId) => files.get(fileId),
    resolve(value, name, uploads, kind) {
      const upload = uploads.get(value?.startsWith('attach://') ? value.slice('attach://'.length) : name);
      if (!upload) {
        const known = value === undefined ? undefined : files.get(value);
        if (known?.kind === kind) return known;
        if (value === undefined) throw badRequest(`there is no ${kind} in the request`);
        // Telegram would fetch a URL. Nobody here sends one, and a test must not reach out.
        throw badRequest('wrong remote file identifier specified: Wrong string length');
      }
      if (upload.bytes.length === 0) throw badRequest('file must be non-empty');
      if (kind === 'photo') checkPhoto(upload.bytes);
      const fileId = `${kind}-${files.size + 1}`;
      const stored: StoredFile = { fileId, filename: upload.filename, bytes: upload.bytes, kind };
      files.set(fileId, stored);
      return stored;
    },
  };
}

function checkPhoto(bytes: Buffer): void {
  if (bytes.length > PHOTO_BYTES_MAX) throw badRequest('file is too big');
  const size = imageSize(bytes);
  if (!size) throw badRequest('IMAGE_PROCESS_FAILED');
  const { width, height } = size;
  const ratio = Math.max(width / height, height / width);
  if (width + height > PHOTO_SIDES_MAX || ratio > PHOTO_RATIO_MAX) throw badRequest('PHOTO_INVALID_DIMENSIONS');
}

export function toPhotoSizes(file: StoredFile): PhotoSize[] {
  const { width, height } = imageSize(file.bytes) ?? { width: 0, height: 0 };
  return [{ file_id: file.fileId, file_unique_id: `u-${file.fileId}`, width, height, file_size: file.bytes.length }];
}

export function toDocument(file: StoredFile): Document {
  return {
    file_id: file.fileId,
    file_unique_id: `u-${file.fileId}`,
    file_name: file.filename,
    file_size: file.bytes.length,
  };
}

/** Of a PNG or a JPEG; null for anything else, which Telegram does not take for a photo either (but WebP, say). */
function imageSize(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}
