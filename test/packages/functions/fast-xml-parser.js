import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';

const xml = '<r a="1"><i>1</i><i>two</i><!-- c --><![CDATA[<x>]]><e/></r>';
export default () => [
  new XMLParser({ ignoreAttributes: false, cdataPropName: 'cdata' }).parse(xml),
  new XMLBuilder({ format: true, ignoreAttributes: false }).build({ r: { '@_a': 1, i: [1, 2] } }),
  XMLValidator.validate('<a><b></a>').err.code,
];
