#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# The reader of sgpu_packets.xml must refuse contradictory descriptions.
#
#    xml_test.py XML_READER_DIR

import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
from packets_xml import Bad, Model  # noqa: E402

FRAME = '''<sgpuxml version="1">
  <enum name="Packet"><value name="P" value="0"/>{opcodes}</enum>
  <enum name="Kind"><value name="A" value="0"/><value name="B" value="5"/></enum>
  <struct name="PAIR" length="2">
    <field name="Low" start="0:0" size="32" type="uint"/>
    <field name="High" start="1:0" size="32" type="uint"/>
  </struct>
  {more}
  <packet name="P" class="{kind}" length="4" {attributes}>{fields}</packet>
</sgpuxml>'''


def model(fields='', attributes='', more='', opcodes='', kind='work'):
    return Model(text=FRAME.format(fields=fields, attributes=attributes, more=more,
                                   opcodes=opcodes, kind=kind))


def field(start, size, kind='uint', name='F', rest=''):
    return f'<field name="{name}" start="{start}" size="{size}" type="{kind}" {rest}/>'


class Reader(unittest.TestCase):
    def refuse(self, text, *args, **kwargs):
        with self.assertRaisesRegex(Bad, text):
            model(*args, **kwargs)

    def test_good(self):
        m = model(field('1:0', 8) + field('1:8', 3, 'Kind', 'K', 'default="B"') +
                  field('2:0', 64, 'PAIR', 'Two'), 'tail="PAIR" tail_max="3"')
        p = m.packets[0]
        self.assertEqual([f.c for f in p.fields], ['f', 'k', 'two'])
        self.assertEqual(p.covered, [0x00ffffff, 0x7ff, 0xffffffff, 0xffffffff])
        self.assertEqual(p.defaults, [('k', 'SGPU_KIND_B')])

    def test_places(self):
        self.refuse('overlaps', field('1:0', 8) + field('1:7', 1, name='G'))
        self.refuse('overlaps', field('1:0', 64) + field('2:31', 1, name='G'))
        self.refuse('past the end', field('4:0', 1))
        self.refuse('past the end', field('3:0', 64))
        self.refuse('past the end', field('2:0', 32, rest='array="3"'))
        self.refuse('in the header', field('0:24', 8))
        self.refuse('crosses a word', field('1:30', 4))
        self.refuse('crosses a word', field('1:0', 48))
        self.refuse('bad size', field('1:0', 0))
        self.refuse('word:bit', field('1', 4))
        self.refuse('whole words', field('1:0', 8, rest='array="2"'))

    def test_types(self):
        self.refuse('unknown type', field('1:0', 8, 'Nothing'))
        self.refuse('bool has 1 bit', field('1:0', 2, 'bool'))
        self.refuse('float has 32 bits', field('1:0', 16, 'float'))
        self.refuse('address has 64 bits', field('1:0', 32, 'address'))
        self.refuse('do not fit', field('1:0', 2, 'Kind'))
        self.refuse('size is not that of', field('1:0', 32, 'PAIR'))
        self.refuse('for uint', field('1:0', 32, 'int', rest='shr="1"'))
        self.refuse('max does not fit', field('1:0', 4, rest='max="16"'))
        self.refuse('not a value', field('1:0', 4, 'Kind', rest='default="C"'))
        self.refuse('unknown attribute', field('1:0', 4, rest='shl="1"'))

    def test_names(self):
        self.refuse('two fields', field('1:0', 1) + field('1:1', 1, name='f'))
        self.refuse('start with a digit', field('1:0', 1, name='3D'))
        self.refuse('two fields', field('1:0', 1, name='Tail Count'))
        self.refuse('used twice', more='<struct name="PAIR" length="1"/>')
        self.refuse('collide', more='<struct name="PAIR LENGTH" length="1"/>')
        self.refuse('no such packet', more='<packet name="Q" class="work" length="1"/>')
        self.refuse('without a packet', opcodes='<value name="Q" value="1"/>')
        self.refuse('occurs twice', opcodes='<value name="Q" value="0"/>')
        self.refuse('do not fit', opcodes='<value name="Q" value="256"/>')

    def test_classes(self):
        self.assertEqual(model(kind='state').packets[0].packet_class, 'state')
        self.refuse('class', kind='record')
        self.refuse('class', more='<packet name="Q" length="1"/>')
        self.refuse('unknown attribute', more='<struct name="S" class="state" length="1"/>')

    def test_tails(self):
        self.refuse('bad tail', attributes='tail="NONE" tail_max="2"')
        self.refuse('bad tail', attributes='tail="PAIR"')
        self.refuse('bad tail', attributes='tail="PAIR" tail_max="2" tail_exact="3"')
        self.refuse('longer than', attributes='tail="PAIR" tail_max="40000"')
        self.refuse('without a tail', attributes='tail_max="2"')


if __name__ == '__main__':
    unittest.main()
