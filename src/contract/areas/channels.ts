import { admin, list, type Operation } from '../row.ts';

/** Channels, connected or not. */
export const channelOperations = {
  'channels.list': {
    ...list,
    route: 'GET /channels',
    faces: ['rest', 'sdk', 'client', 'cli'],
    summary: 'List the channels, connected or not',
  },
  'channels.connect': {
    ...admin,
    fact: 'spec 1: getting started (2)',
    route: 'POST /channels',
    faces: ['rest', 'cli'],
    status: 201,
    summary: 'Connect a channel',
    errors: ['channel_exists'],
    emits: ['channel.connected'],
    needs: { id: 'text', name: 'text' },
  },
  'channels.disconnect': {
    ...admin,
    route: 'DELETE /channels/:id',
    faces: ['rest', 'cli'],
    summary: 'Disconnect a channel; its conversations stay',
    errors: ['channel_not_found'],
    emits: ['channel.disconnected'],
    needs: { id: 'text', name: 'text' },
  },
} as const satisfies Record<string, Operation>;
