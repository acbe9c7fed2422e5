import type { HandlersOf, MachineParts } from './parts.ts';

export function flowHandlers({ appFlows }: MachineParts): HandlersOf<'flows'> {
  return {
    async 'flows.check'({ app }) {
      const { flowInFront, orderOfFlow } = await import('../../flow/index.ts');
      const files = await appFlows.check();
      const ordered = files.flatMap(({ app: of, name, flow }) =>
        flow ? [orderOfFlow(of, name, flow.definition)] : [],
      );
      return {
        items: files
          .filter((file) => app === undefined || file.app === app)
          .map((file) => {
            const one = ordered.find((other) => other.app === file.app && other.name === file.name);
            const front = one && flowInFront(one, ordered);
            const { name, path, problems } = file;
            return { app: file.app, name, file: path, problems: [...problems], behind: front?.name ?? null };
          }),
      };
    },
  };
}
