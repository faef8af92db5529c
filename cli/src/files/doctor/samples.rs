//! Files of twenty kinds, for tests.

use std::sync::LazyLock;

/// Numbers without a pattern, the same each time (SplitMix64).
pub(super) struct Draw(pub(super) u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(super) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }

    pub(super) fn of<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }
}

/// What files hold, and whether it can be told from noise.
pub(super) const KINDS: &[(&str, bool)] = &[
    ("repeated line", true),
    ("numbered lines", true),
    ("zeros", true),
    ("English", true),
    ("Chinese", true),
    ("source", true),
    ("CSV", true),
    ("JSON", true),
    ("XML", true),
    ("Base64", true),
    ("hexadecimal", true),
    ("UTF-16", true),
    ("ELF", true),
    ("numbers of 4 bytes", true),
    ("ZIP", true),
    ("gzip", true),
    ("PNG", true),
    ("PDF", true),
    ("tar", true),
    ("one byte", true),
    ("noise", false),
];

pub(super) const ENGLISH: &str = "When in the course of human events it becomes necessary for one people to \
    dissolve the political bands which have connected them with another, and to assume among the \
    powers of the earth, the separate and equal station to which the laws of nature entitle them, \
    a decent respect to the opinions of mankind requires that they should declare the causes which \
    impel them to the separation. ";
const CHINESE: &str = "分组密码算法的工作模式规定了用分组密码加密长于一个分组的消息的方法。本文件适用于\
    信息安全产品的研制与检测，实现者应当注意初始向量不得重复使用，否则机密性无从谈起。";

static PROGRAM: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    program.truncate(1 << 20);
    program
});

/// A file of a kind, of about the length.
pub(super) fn file(kind: &str, len: usize, draw: &mut Draw) -> Vec<u8> {
    use base64::Engine as _;
    let text = |line: &dyn Fn(usize, &mut Draw) -> String, draw: &mut Draw| {
        let first = draw.below(1000);
        let mut text = String::new();
        for number in first.. {
            text += &line(number, draw);
            if text.len() >= len {
                break;
            }
        }
        text.into_bytes()
    };
    let somewhere = |all: &[u8], draw: &mut Draw| {
        let from = draw.below(all.len());
        all.iter().cycle().skip(from).take(len).copied().collect::<Vec<u8>>()
    };
    let begun = |head: &[u8], draw: &mut Draw| [head, &draw.bytes(len)].concat();
    let mut bytes = match kind {
        "repeated line" => text(&|_, _| "INFO 2020 ok\n".into(), draw),
        "numbered lines" => text(&|n, _| format!("line {n} of the document\n"), draw),
        "zeros" => vec![0; len],
        "English" => somewhere(ENGLISH.as_bytes(), draw),
        "Chinese" => CHINESE.repeat(1 + len / CHINESE.len()).into_bytes(),
        "source" => somewhere(include_bytes!("samples.rs"), draw),
        "CSV" => text(&|n, d| format!("{n};{};{:.3};ok\r\n", d.below(9000), d.below(999)), draw),
        "JSON" => {
            text(&|n, d| format!("{{\"id\": {n}, \"value\": [{}, true]}},\n", d.below(9)), draw)
        }
        "XML" => text(&|n, _| format!("  <entry key=\"{n}\"><name>n{n}</name></entry>\n"), draw),
        "Base64" => base64::engine::general_purpose::STANDARD.encode(draw.bytes(len)).into_bytes(),
        "hexadecimal" => hex::encode(draw.bytes(len)).into_bytes(),
        "UTF-16" => ENGLISH.repeat(9).encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "ELF" => PROGRAM.clone(),
        "numbers of 4 bytes" => (0..len as u32).flat_map(u32::to_le_bytes).collect(),
        "ZIP" => begun(b"PK\x03\x04\x14\0\0\0\x08\0", draw),
        "gzip" => begun(b"\x1f\x8b\x08\0\0\0\0\0\0\x03", draw),
        "PNG" => begun(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x02\0\x08\x06", draw),
        "PDF" => begun(b"%PDF-1.7\n%\xb5\xb5\xb5\xb5\n1 0 obj\n<</Length 4096>>stream\n", draw),
        "tar" => {
            let mut head = b"folder/file.bin".to_vec();
            head.resize(100, 0);
            head.extend(b"0000644\0" as &[u8]);
            head.resize(257, b'0');
            head.extend(b"ustar\x0000root\0" as &[u8]);
            head.resize(512, 0);
            begun(&head, draw)
        }
        "one byte" => vec![draw.next() as u8; len],
        _ => draw.bytes(len),
    };
    bytes.truncate(len);
    bytes
}
