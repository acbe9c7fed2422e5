import { type Message, type RenderedPart, renderedOf } from '../model/chat.ts';
import { slug } from './app.ts';
import { Icon } from './parts.tsx';

/** What a message says: text, media, or a template as the customer sees it. */
export function Content({ message }: { readonly message: Message }) {
  const { text, media, template } = message;
  if (template) return <Rendered rendered={template.rendered} />;
  return (
    <div class="bubble" dir="auto">
      {media && <Media {...media} />}
      {text}
    </div>
  );
}

/** A picture that was uploaded; of other media the name. Media elsewhere are not fetched. */
function Media({
  mediaId,
  type,
  fileName,
  url,
}: {
  mediaId?: string | undefined;
  type?: string | undefined;
  fileName?: string | undefined;
  url?: string | undefined;
}) {
  const name = fileName ?? url ?? mediaId ?? '';
  const source = mediaId && `/tenants/${slug}/media/${mediaId}`;
  if (source && type === 'image') return <img class="media" src={source} alt={name} />;
  return (
    <span class="attachment">
      <Icon name={type === 'image' ? 'image' : 'clip'} />
      {source ? (
        <a class="link" href={source}>
          {name}
        </a>
      ) : (
        name
      )}
    </span>
  );
}

function Rendered({ rendered }: { readonly rendered: unknown }) {
  const { cards, ...whole } = renderedOf(rendered);
  return (
    <>
      <Part part={whole} />
      {cards.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <ul class="carousel" aria-label={`${cards.length} cards`} tabIndex={0}>
          {cards.map((card, index) => (
            <li key={index} class="tpl">
              <PartContent part={card} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const Part = ({ part }: { readonly part: RenderedPart }) => (
  <div class="tpl">
    <PartContent part={part} />
  </div>
);

const buttonIcons: Readonly<Record<string, string>> = { url: 'open-out', quick_reply: 'hand-back', copy_code: 'copy' };

function PartContent({ part: { header, body, footer, buttons } }: { readonly part: RenderedPart }) {
  const { format, text, latitude, longitude, name } = header;
  const given = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return (
    <>
      {typeof text === 'string' && (
        <p class="tpl-body">
          <strong dir="auto">{text}</strong>
        </p>
      )}
      {latitude !== undefined && <p class="tpl-body">{given(name) ?? `${String(latitude)}, ${String(longitude)}`}</p>}
      {typeof format === 'string' && format !== 'text' && format !== 'location' && (
        <Media
          mediaId={given(header['mediaId'])}
          url={given(header['url'])}
          fileName={given(header['fileName'])}
          type={format}
        />
      )}
      {body !== '' && (
        <p class="tpl-body" dir="auto">
          {body}
        </p>
      )}
      {footer !== '' && (
        <p class="tpl-foot" dir="auto">
          {footer}
        </p>
      )}
      {buttons.map((button) => (
        <span class="tpl-button" key={`${button.type} ${button.text}`}>
          <Icon name={buttonIcons[button.type] ?? 'link'} />
          {button.text}
        </span>
      ))}
    </>
  );
}
