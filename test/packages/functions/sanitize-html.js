import sanitize from 'sanitize-html';
export default () => [
  sanitize('<p onclick=x>a<script>bad()</script><a href="javascript:x">l</a><img src=x onerror=y></p>'),
  sanitize('<b>a</b><i style="color:red;position:fixed">b</i>', {
    allowedTags: ['i'],
    allowedAttributes: { i: ['style'] },
    allowedStyles: { i: { color: [/^red$/] } },
  }),
];
