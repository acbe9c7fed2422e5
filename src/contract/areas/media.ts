import { list, type Operation, write } from '../row.ts';

/** Media of template headers: uploads and downloads. */
export const mediaOperations = {
  'media.createUpload': {
    ...write,
    scope: 'send',
    fact: 'spec 4.3: the primitive behind the Template API app',
    route: null,
    faces: ['sdk'],
    onlyApp: 'template-app',
    outside: 'templates.uploadCredentials',
    summary: 'Create upload credentials',
    errors: ['media_type_unsupported', 'media_too_large'],
  },
  'media.upload': {
    ...write,
    by: 'machine',
    scope: 'send',
    fact: 'spec 4.3: the PUT that follows; the signed address is the credential, no token is asked',
    route: 'PUT /media/:mediaId',
    faces: ['rest'],
    rawBody: true,
    summary: 'Upload the bytes, using upload credentials',
    errors: [
      'upload_credentials_invalid',
      'upload_credentials_expired',
      'upload_already_done',
      'media_too_large',
      'media_size_mismatch',
      'media_type_mismatch',
    ],
    repeat: 'harmless',
    credential: 'signed-address',
  },
  'media.get': {
    ...list,
    by: 'machine',
    route: 'GET /media/:mediaId',
    faces: ['rest'],
    summary: 'Download uploaded media',
    errors: ['file_not_found'],
    rawAnswer: true,
  },
} as const satisfies Record<string, Operation>;
