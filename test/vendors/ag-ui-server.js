// A server made of AG-UI's own packages and the AI SDK, as its users write one. It knows nothing of this project.
import { createServer } from 'node:http';
import { EventType } from '@ag-ui/client';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { EventEncoder } from '@ag-ui/encoder';
import { SdkAgent } from './agents/ag-ui.js';

/** @param baseURL of an OpenAI-compatible endpoint */
export function createAgUiServer(baseURL) {
  return createServer(async (request, response) => {
    const input = RunAgentInputSchema.parse(JSON.parse(Buffer.concat(await request.toArray())));
    const encoder = new EventEncoder({ accept: request.headers.accept });
    response.writeHead(200, { 'content-type': encoder.getContentType() });
    new SdkAgent(baseURL).run(input).subscribe({
      next: (event) => response.write(encoder.encode(event)),
      error: (error) => response.end(encoder.encode({ type: EventType.RUN_ERROR, message: error.message })),
      complete: () => response.end(),
    });
  });
}

export { HttpAgent } from '@ag-ui/client';
