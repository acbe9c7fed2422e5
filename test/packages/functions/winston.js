import { Writable } from 'node:stream';
import { createLogger, format, transports } from 'winston';
export default async () => {
  const lines = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger({
    level: 'verbose',
    defaultMeta: { service: 'orders' },
    format: format.combine(format.splat(), format.json()),
    transports: [
      new transports.Stream({ stream }),
      new transports.Stream({ stream, level: 'error', format: format.simple() }),
    ],
  });
  logger.info('order %s of %d', 'A-17', 3, { customer: 7 });
  logger.child({ request: 'r1' }).error('no stock');
  logger.silly('unheard');
  logger.end();
  await new Promise((resolve) => logger.on('finish', resolve));
  return lines;
};
