import { EventEmitter } from 'eventemitter3';
export default () => {
  const seen = [];
  const emitter = new EventEmitter();
  emitter.on(
    'a',
    function (x) {
      seen.push([this.n, x]);
    },
    { n: 1 },
  );
  emitter.once('a', (x) => seen.push(x));
  emitter.emit('a', 1);
  emitter.emit('a', 2);
  return [seen, emitter.listenerCount('a'), emitter.emit('none')];
};
