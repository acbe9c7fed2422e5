import { list, type Operation, write } from '../row.ts';

/** AI Tools, called through one gate whoever calls. */
export const toolOperations = {
  'tools.list': {
    ...list,
    by: 'machine',
    fact: 'contract 9',
    route: 'GET /tools',
    faces: ['rest', 'cli'],
    summary: 'List the AI Tools, with what each permits',
    withoutSeed: true,
  },
  'tools.show': {
    ...list,
    by: 'machine',
    fact: 'contract 9',
    route: 'GET /tools/:name',
    faces: ['rest', 'cli'],
    summary: 'Show an AI Tool',
    errors: ['tool_unknown'],
    withoutSeed: true,
  },
  'tools.call': {
    ...write,
    by: 'machine',
    fact: 'contract 9',
    route: 'POST /tools/:name/call',
    faces: ['rest', 'sdk', 'cli'],
    summary: 'Call an AI Tool; what the gate refuses and what fails is part of the answer',
    errors: ['conversation_not_found'],
    emits: ['aiTool.called', 'aiTool.failed', 'confirmation.requested', 'message.sent', 'message.status'],
    sealed: true,
    recorded: 'name-only',
    relay: 'local',
    needs: { status: 'text', callId: 'text' },
  },
  'tools.logs': {
    ...list,
    fact: 'contract 9',
    route: 'GET /tool-calls',
    faces: ['rest', 'cli'],
    summary: 'List the calls of AI Tools, newest first',
    relay: 'local',
  },
} as const satisfies Record<string, Operation>;
