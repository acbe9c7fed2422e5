import type { Door, Input, Output } from '../contract/index.ts';

type Record = Output<'invocations.show'>;

/** The call that repeats an invocation: the same function with the same input. */
function callAgain({ app, function: name, type, input }: Record): Input<'functions.invoke'> {
  if (type !== 'server-side-method') return { app, name, ...(type !== 'cron-job' && { input }) };
  const { method, path, headers, body } = input as {
    method: 'POST';
    path: string;
    headers: { [name: string]: string };
    body: Record['input'];
  };
  const query = Object.fromEntries(new URL(path, 'http://localhost').searchParams);
  return {
    app,
    name,
    request: { method, query, headers: contentHeaders(headers) },
    ...(body !== null && { input: body }),
  };
}

/** Leaves out the headers that belong to the original connection. */
function contentHeaders(headers: { [name: string]: string }): { [name: string]: string } {
  const connection = new Set([
    'host',
    'connection',
    'content-length',
    'transfer-encoding',
    'accept-encoding',
    'user-agent',
  ]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !connection.has(name)));
}

/** Repeats an invocation, through the door of the workspace that recorded it. */
export async function invokeAgain(door: Door, invocationId: string): Promise<Output<'functions.invoke'>> {
  return await door('functions.invoke', callAgain(await door('invocations.show', { id: invocationId })));
}
