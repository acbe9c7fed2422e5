export * from 'web-streams-polyfill';
