import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import stock from '../_data/stock.json' with { type: 'json' };
import { formatMoney } from '../_shared/money.js';
import './order-panel.css';

/** @type {import('convo-fn').CustomView} */
export const config = {
  type: 'custom-view',
  title: 'Orders',
  placement: 'conversation',
  height: 480,
};

/** @type {Readonly<Record<string, { title: string, stock: number }>>} */
const articles = stock;

/** @param {import('convo-fn').ViewSdk} sdk */
export default function (sdk) {
  const draw = () =>
    render(
      <Orders sdk={sdk} phone={sdk.customer?.phone ?? undefined} />,
      sdk.view.container,
    );
  draw();
  const end = sdk.view.on('context', draw);
  return () => {
    end();
    render(null, sdk.view.container);
  };
}

/** @param {{ sdk: import('convo-fn').ViewSdk, phone: string | undefined }} props */
function Orders({ sdk, phone }) {
  const [state, setState] = useState(
    /** @type {{ orders?: any[], problem?: string }} */ ({}),
  );
  useEffect(() => {
    // Another customer may have been opened before the answer is there.
    let current = true;
    setState({});
    if (phone)
      sdk.methods.call('api/orders/find', { phone }).then(
        ({ orders }) => current && setState({ orders }),
        (error) => current && setState({ problem: error.message }),
      );
    return () => {
      current = false;
    };
  }, [phone]);

  if (!phone) return <Note>No phone number, so no orders.</Note>;
  if (state.problem) return <Note>{state.problem}</Note>;
  if (!state.orders) return <Note>Looking…</Note>;
  if (state.orders.length === 0)
    return (
      <Note>{sdk.customer?.name ?? phone} has not ordered anything yet.</Note>
    );
  return (
    <ul className="orders">
      {state.orders.map((order) => (
        <Order
          key={order.id}
          order={order}
          onCopy={() => copy(sdk, order.id)}
        />
      ))}
    </ul>
  );
}

/** @typedef {{ article: string, quantity: number }} Item */

/** @param {{ order: any, onCopy: () => void }} props */
function Order({ order, onCopy }) {
  return (
    <li className="order">
      <header>
        <button type="button" onClick={onCopy} title="Copy the number">
          {order.id}
        </button>
        <span className={`status ${order.status}`}>{order.status}</span>
        <strong>{order.total}</strong>
      </header>
      <p>{order.items.map(inWords).join(', ')}</p>
      <footer>
        <time>{order.placed}</time>
        {order.refundedCents > 0 && (
          <span>refunded {formatMoney(order.refundedCents)}</span>
        )}
      </footer>
    </li>
  );
}

/** @param {Item} item */
function inWords({ article, quantity }) {
  return `${quantity} × ${articles[article]?.title ?? article}`;
}

/** @param {{ children: import('preact').ComponentChildren }} props */
function Note({ children }) {
  return <p className="note">{children}</p>;
}

/**
 * @param {import('convo-fn').ViewSdk} sdk
 * @param {string} text
 */
async function copy(sdk, text) {
  try {
    await globalThis.navigator.clipboard.writeText(text);
    sdk.ui.toast(`${text} copied`);
  } catch {
    sdk.ui.toast('The browser did not allow it', { kind: 'error' });
  }
}
