import { z } from 'zod';
import { id, text, timestamp } from '../shapes/common.ts';

export const createUploadInput = z.strictObject({ fileName: text(255), contentType: text(100), bytes: z.int().min(1) });

export const UploadCredentials = z.object({
  mediaId: id('med'),
  uploadUrl: z.string(),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
  expiresAt: timestamp,
  maxBytes: z.number().int(),
});

const Media = z.object({
  id: id('med'),
  contentType: z.string(),
  bytes: z.number().int(),
  fileName: z.string(),
  uploadedAt: timestamp.nullable(),
});

export const mediaShapes = {
  'media.createUpload': { input: createUploadInput, output: UploadCredentials },
  'media.upload': {
    input: z.strictObject({ mediaId: id('med'), signature: text(200), expires: text(40) }),
    output: Media,
  },
  'media.get': { input: z.strictObject({ mediaId: id('med') }), output: z.unknown() },
} as const;
