//! Words of engines in Chinese. What engines and the laboratory say in a results file is English;
//! a page in Chinese says the same by these patterns. A text that none of them knows stays as it is,
//! and `cargo xtask pages` names it.

/// English and Chinese with the same gaps, `{}`, in this order.
const PATTERNS: &[(&str, &str)] = &[
    // Why something was not measured.
    (
        "engine `{}`: compiling the library for 32 bits (`{}` brings the target) failed: {}; see the log {}",
        "引擎 {0}：为 32 位编译本库失败（`{1}` 可安装该目标平台）；见日志 {3}",
    ),
    ("engine `{}`: {} failed: {}; see the log {}", "引擎 {0}：{1} 失败；见日志 {3}"),
    (
        "engine `{}` needs the program `{}`, which is not on the PATH; {}",
        "引擎 {0} 需要程序 {1}，而 PATH 中没有",
    ),
    (
        "engine `{}`: `{}` makes no program here; `{}` brings {}",
        "引擎 {0}：`{1}` 在此无法生成程序；`{2}` 可安装所缺部分",
    ),
    (
        "engine `{}` gave no answer in {} s and was stopped; the request was {}",
        "引擎 {0} 在 {1} 秒内无应答，已终止",
    ),
    (
        "a call takes about {} s, too long for a row of {} s; {} measures it",
        "一次调用约需 {0} 秒，超出每行 {1} 秒的限度；{2} 可测量它",
    ),
    ("gprof counts no calls of it", "gprof 未记录对它的调用"),
    ("gprof does not list the function", "gprof 未列出该函数"),
    ("engine `{}` was lost", "引擎 {} 已退出"),
    ("engine `{}` took no part in this run", "引擎 {} 未参加本次运行"),
    ("the program `{}` is not on the PATH; {}", "PATH 中没有程序 {0}"),
    ("`{}` is not on the PATH; {}", "PATH 中没有程序 {0}"),
    ("`{}` can't be started: {}", "无法启动 {0}"),
    ("`perf record` is not allowed or failed: {}", "perf record 未获许可或运行失败"),
    ("{} has no figure", "{} 无数值"),
    ("{} offers no {}", "{} 不提供 {}"),
    ("{} bytes are not whole blocks of {}", "{} 字节不是 {} 字节分组的整数倍"),
    ("{} is not asked for {}", "不向 {} 请求 {}"),
    ("{} of {} has no model {}", "{1} 的 {0} 没有 {2} 模型"),
    ("there is no crate of RustCrypto for {}", "RustCrypto 没有 {} 的 crate"),
    ("there is no rung {}", "没有 {} 这一级"),
    ("EVP_CIPHER_fetch of {} finds no {}", "{} 的 EVP_CIPHER_fetch 找不到 {}"),
    ("EVP_MAC_fetch of {} finds no {}", "{} 的 EVP_MAC_fetch 找不到 {}"),
    ("{} has no function for {} of {}", "{0} 没有用于 {2} 的 {1} 的函数"),
    ("{} has no function {}", "{} 没有函数 {}"),
    ("the library has no function {}", "该库没有函数 {}"),
    ("the library lacks {}", "该库没有 {}"),
    (
        "IMB_SUBMIT_JOB of ipsec-mb takes packets of {} to {} bytes, not {}",
        "ipsec-mb 的 IMB_SUBMIT_JOB 只接受 {} 至 {} 字节的分组，而非 {} 字节",
    ),
    (
        "IMB_SUBMIT_JOB of ipsec-mb {} ({} with {}) knows no {} of {}",
        "ipsec-mb {0}（{1}，{2}）的 IMB_SUBMIT_JOB 不支持 {4} 的 {3}",
    ),
    (
        "IMB_SUBMIT_JOB of ipsec-mb {} knows no {} of {}",
        "ipsec-mb {0} 的 IMB_SUBMIT_JOB 不支持 {2} 的 {1}",
    ),
    ("{} has no class for {}", "{} 没有 {} 的类"),
    ("{} of libgcrypt {} refuses {} of {}", "libgcrypt {1} 的 {0} 不接受 {3} 的 {2}"),
    ("botan_cipher_init of {} knows no {} of {}", "{0} 的 botan_cipher_init 不支持 {2} 的 {1}"),
    ("{} can't be measured in model {}", "{} 无法以 {} 模型测量"),
    ("{} can't be cut among threads", "{} 无法在线程间分割"),
    ("{} takes messages of {} bytes, not {}", "{} 接受 {} 字节的消息，而非 {} 字节"),
    ("{} has no choice where buffers begin", "{} 无法选择缓冲区的起始位置"),
    (
        "on {} CPUs at once {} Mbps together, each {} times as long as alone",
        "{} 个 CPU 同时运行：合计 {} Mbps，每个耗时为单独运行的 {} 倍",
    ),
    (
        "on {} CPUs at once each {} times as long as alone",
        "{} 个 CPU 同时运行：每个耗时为单独运行的 {} 倍",
    ),
    (
        "single calls on {} busy CPUs: half within {} ns, 99 % within {}, 99.9 % within {}, without the timer's {}",
        "{} 个 CPU 满载时的单次调用：50 % 在 {} ns 内，99 % 在 {} 内，99.9 % 在 {} 内，已扣除计时器自身的 {}",
    ),
    ("single calls are measured of equal lengths", "单次调用只测等长消息"),
    ("on all CPUs at once: {}", "所有 CPU 同时运行：{}"),
    ("{} is not measured beside others", "{} 不与其他进程同时测量"),
    (
        "it is measured with warm caches and one thread a process",
        "只在缓存未清空、每进程单线程时测量",
    ),
    ("its processes did not come to work at the same time", "各进程未能同时工作"),
    ("{} is measured with warm caches only", "{} 只在缓存未清空时测量"),
    ("{} is measured cold on one thread, of equal lengths", "{} 清空缓存时只测单线程与等长消息"),
    (
        "work that another process times has buffers of its own, aligned and warm",
        "由另一进程计时的工作使用其自己的缓冲区，已对齐，缓存未清空",
    ),
    ("{} takes no IV of {} bytes", "{} 不接受 {} 字节的 IV"),
    ("{} has no associated data", "{} 没有关联数据"),
    ("{} has no level `{}`; it has {}", "{} 没有级别 {}；现有 {}"),
    ("{} refuses {}", "{} 不接受 {}"),
    ("{} has no such thing for {}", "{} 没有 {}"),
    ("cmac::Cmac is asked for CMAC alone", "cmac::Cmac 只测 CMAC 本身"),
    ("{} has ZUC-256 of 2018 only", "{} 只有 2018 年的 ZUC-256"),
    ("{} of libgcrypt {} knows no {} of {}", "libgcrypt {1} 的 {0} 不支持 {3} 的 {2}"),
    ("{} has no {}", "{} 没有 {}"),
    ("a message of {} bytes does not fit into memory", "{} 字节的消息超出内存"),
    ("not enough memory for {} bytes", "内存不足 {} 字节"),
    ("the time is up after {} passes", "{} 遍之后时间已到"),
    ("outputs differ: {}", "输出不一致：{}"),
    (
        "{} of Bouncy Castle {} reads bit {} of its state where the specification reads bit {}, and gives none of eSTREAM's vectors ({})",
        "Bouncy Castle {1} 的 {0} 读取其状态的第 {2} 位，标准则读取第 {3} 位，因此 eSTREAM 的向量全不相符（`{4}`）",
    ),
    ("{}: Too much data processed by singleKey/IV", "{}：单个密钥与 IV 处理的数据过多"),
    // Flags and remarks of rows.
    ("outside the specification", "超出标准"),
    ("{} allows {} bytes under one key and IV", "{} 规定单个密钥与 IV 至多 {} 字节"),
    ("{} allows {} bytes under {}", "{0} 规定 {2} 至多 {1} 字节"),
    ("no second engine computed the same", "没有其他引擎计算过同一格"),
    (
        "the library's tag is wrong where the last 16 bytes are not whole: it is not asked for that",
        "末尾不足 16 字节时该库的标签有误，故不测",
    ),
    ("{} is wrong in place: the data is copied first", "{} 原地处理有误，故先复制数据"),
    ("loops over a buffer of {} bytes", "在 {} 字节的缓冲区上循环"),
    // Claims.
    ("needs {} CPUs; this machine has {}", "需要 {} 个 CPU；本机有 {} 个"),
    ("the sign is shown", "方向已表明"),
    ("the interval reaches the published size", "区间触及公布的大小"),
    ("the difference is larger than published", "差异大于公布值"),
    ("a larger difference than published", "差异大于公布值"),
    ("larger than published", "大于公布值"),
    ("a row has no samples", "某行没有样本"),
    ("slightly is said of ratios from {} on", "比值不低于 {} 才称“略”"),
    ("{} is no figure", "{} 不是数值"),
    ("the windows found do not make the tag of {}", "所得窗口不能组成 {} 的标签"),
    ("{} stands in for {}", "以 {} 代替 {}"),
    ("canary: {}", "受干扰：{}"),
    ("quick: {}", "快速模式：{}"),
    ("few samples: {}", "样本较少：{}"),
    ("outside the specification: {}", "超出标准：{}"),
    // What was found out otherwise.
    (
        "key and IV are set up together: all of it is in the state",
        "密钥与 IV 一并装载：全部在流状态中",
    ),
    ("no symbol of this program is of its source files alone", "本程序没有仅属于其源文件的符号"),
    ("no frame of a fixed size was found in its kernels", "其内核中未发现固定大小的栈帧"),
    ("{} samples at {}, by perf: see the figure", "{1} 上由 perf 采得 {0} 个样本：见图"),
    ("not found out in this run", "本次运行未取得"),
    ("from {} MiB", "取自 {} MiB"),
    // The machine.
    (
        "time-stamp counter at {} GHz; at most {} core cycles a tick",
        "时间戳计数器 {} GHz；每计数至多 {} 个核心周期",
    ),
    ("unknown", "未知"),
    ("off or hidden", "关闭或不可见"),
    ("hypervisor", "虚拟机监控程序"),
    ("counter of core cycles", "核心周期计数器"),
    ("none ({}): a chain of additions tells", "无（系统不提供读取）：以一串相依加法推算"),
    ("microcode", "微码"),
    ("caches", "缓存"),
    ("memory", "内存"),
    ("compiler", "编译器"),
    ("commit", "提交"),
    ("governor", "调频策略"),
    ("boost", "睿频"),
    ("load", "负载"),
];

/// The text in Chinese: parts between `; ` one by one where each is known, else as a whole.
pub(super) fn told(text: &str) -> String {
    let parts: Option<Vec<String>> = text.split("; ").map(known).collect();
    match parts {
        Some(parts) => parts.join("；"),
        None => known(text).unwrap_or_else(|| text.to_owned()),
    }
}

fn known(text: &str) -> Option<String> {
    PATTERNS.iter().find_map(|(en, zh)| Some(filled(zh, &gaps(en, text)?)))
}

/// What stands in the gaps of a pattern, if the text is of it. A gap ends where what follows it
/// stands for the first time; the last one where the text ends.
fn gaps<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut pieces = pattern.split("{}");
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let pieces: Vec<&str> = pieces.collect();
    let mut gaps = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let last = number + 1 == pieces.len();
        let end = match (last, piece.is_empty()) {
            (true, true) => rest.len(),
            (true, false) => rest.strip_suffix(piece)?.len(),
            (false, _) => rest.find(piece)?,
        };
        if end == 0 {
            return None;
        }
        gaps.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    rest.is_empty().then_some(gaps)
}

/// The words with their gaps filled: `{}` in order, `{0}` by number.
fn filled(words: &str, gaps: &[&str]) -> String {
    let mut out = words.to_owned();
    for (number, gap) in gaps.iter().enumerate() {
        let gap = gap.replace('{', "(").replace('}', ")");
        let by_number = format!("{{{number}}}");
        out = if out.contains(&by_number) {
            out.replace(&by_number, &gap)
        } else {
            out.replacen("{}", &gap, 1)
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_engines_say_is_told_in_chinese() {
        for (text, expected) in [
            ("openssl offers no zuc-128/eia3", "openssl 不提供 zuc-128/eia3"),
            ("sm4/ctr of ipsec-mb has no model stream", "ipsec-mb 的 sm4/ctr 没有 stream 模型"),
            ("needs 16 CPUs; this machine has 2", "需要 16 个 CPU；本机有 2 个"),
            (
                "quick: 1048576 B; outside the specification: 1048576 B",
                "快速模式：1048576 B；超出标准：1048576 B",
            ),
            (
                "libippcp 2.3.0 has no function for keystream of rabbit",
                "libippcp 2.3.0 没有用于 rabbit 的 keystream 的函数",
            ),
            (
                "IMB_SUBMIT_JOB of ipsec-mb 2.0.2 (AVX-512 with GFNI) knows no keystream of mickey",
                "ipsec-mb 2.0.2（AVX-512，GFNI）的 IMB_SUBMIT_JOB 不支持 mickey 的 keystream",
            ),
            (
                "Grain128Engine of Bouncy Castle 1.86 reads bit 94 of its state where the \
                 specification reads bit 95, and gives none of eSTREAM's vectors (https://a/b)",
                "Bouncy Castle 1.86 的 Grain128Engine 读取其状态的第 94 位，标准则读取第 95 位，\
                 因此 eSTREAM 的向量全不相符（`https://a/b`）",
            ),
            (
                "bouncycastle: Too much data processed by singleKey/IV",
                "bouncycastle：单个密钥与 IV 处理的数据过多",
            ),
            ("something that nobody said before", "something that nobody said before"),
        ] {
            assert_eq!(told(text), expected);
        }
    }

    #[test]
    fn both_sides_of_a_pattern_have_the_same_gaps() {
        for (en, zh) in PATTERNS {
            let gaps = en.matches("{}").count();
            let mut filled = 0;
            for number in 0..gaps {
                filled += usize::from(zh.contains(&format!("{{{number}}}")));
            }
            let plain = zh.matches("{}").count();
            // The system's own words, which are English, are all that these leave out.
            let left_out = [
                "`perf record` is not allowed or failed: {}",
                "none ({}): a chain of additions tells",
            ];
            let left_out = left_out.contains(en) && plain == 0;
            let same = plain == gaps || (plain == 0 && filled > 0) || gaps == 0;
            assert!(same || left_out, "{en}: {zh}");
            assert!(!zh.is_ascii(), "{en}");
        }
    }
}
