use super::*;

/// One for a test alone, which stays: it is larger than some threads' stacks, and no leak while it is in the list.
fn reserve() -> &'static Reserve {
    static ALL: std::sync::Mutex<Vec<&Reserve>> = std::sync::Mutex::new(Vec::new());
    // SAFETY: a block of the system's with the layout of a reserve, in whose new state all fields are 0.
    let new: &Reserve = unsafe {
        let place = std::alloc::alloc_zeroed(Layout::new::<Reserve>()).cast::<Reserve>();
        place.as_ref().expect("memory")
    };
    ALL.lock().expect("no panic while it was locked").push(new);
    new
}

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).expect("a layout")
}

/// The bytes of a block.
fn bytes<'a>(block: *mut u8, size: usize) -> &'a mut [u8] {
    // SAFETY: the tests' own blocks, in use, one borrow at a time.
    unsafe { std::slice::from_raw_parts_mut(block, size) }
}

fn give(reserve: &Reserve, block: *mut u8, layout: Layout) {
    // SAFETY: a block of the test's, which forgets it.
    unsafe { reserve.give_back(block, layout) }
}

#[test]
fn blocks_are_aligned_zero_and_apart_in_all_sizes() {
    let reserve = reserve();
    for align in (0..=12).map(|power| 1 << power) {
        for size in [1, 7, 127, 128, 129, 2047, 2048, 2049, 4096, 4097, 70_000, LARGEST] {
            // A byte takes an interpreter a microsecond.
            if cfg!(miri) && size > 200 {
                continue;
            }
            let layout = layout(size, align);
            let mut blocks: Vec<*mut u8> = Vec::new();
            for mark in 1..=4 {
                let block = reserve.take(layout);
                assert!(!block.is_null(), "{layout:?}, number {mark}");
                assert_eq!(block.addr() % align, 0, "{layout:?}");
                assert!(reserve.has(block) && bytes(block, size).iter().all(|it| *it == 0));
                bytes(block, size).fill(mark);
                blocks.push(block);
            }
            for (mark, block) in (1..).zip(&blocks) {
                assert!(bytes(*block, size).iter().all(|it| *it == mark), "{layout:?}");
            }
            blocks.iter().for_each(|block| give(reserve, *block, layout));
            assert_eq!(reserve.held(), 0);
        }
    }
}

#[test]
fn nothing_is_served_beyond_the_bounds() {
    let reserve = reserve();
    assert!(reserve.take(layout(LARGEST + 1, 1)).is_null(), "too large");
    assert!(reserve.take(layout(8, 8192)).is_null(), "aligned to more than a page");
    let one = layout(4096, 8);
    let mut blocks = Vec::new();
    while let Some(block) = Some(reserve.take(one)).filter(|it| !it.is_null()) {
        blocks.push(block);
    }
    assert_eq!(blocks.len(), 256);
    // Small ones have places of their own, and then those of large ones.
    let small = layout(1, 1);
    let mut few = Vec::new();
    while let Some(block) = Some(reserve.take(small)).filter(|it| !it.is_null()) {
        few.push(block);
    }
    assert_eq!(few.len(), 512);
    give(reserve, blocks.pop().expect("a block"), one);
    few.push(reserve.take(small));
    assert!(reserve.large.has(few[512]) && reserve.take(one).is_null());
    few.iter().for_each(|block| give(reserve, *block, small));
    blocks.iter().for_each(|block| give(reserve, *block, one));
    let whole = layout(LARGEST, 4096);
    let again: Vec<_> = (0..4).map(|_| reserve.take(whole)).collect();
    assert!(again.iter().all(|it| !it.is_null()), "all is there again");
}

#[test]
fn what_is_given_back_is_wiped() {
    let reserve = reserve();
    for size in [1, 100, 128, 1000, 5000, 100_000] {
        let layout = layout(size, 8);
        let block = reserve.take(layout);
        bytes(block, size).fill(0xa5);
        // All of the block but its first piece.
        // SAFETY: a block of the test's.
        assert!(unsafe { reserve.fit(block, layout, 1) });
        let piece = if size <= SMALL { 128 } else { 4096 };
        assert!(bytes(block, size).iter().skip(piece).all(|it| *it == 0), "{size}");
        assert_eq!(bytes(block, 1), [0xa5]);
        give(reserve, block, Layout::from_size_align(1, 8).expect("a layout"));
        assert!(bytes(block, size).iter().all(|it| *it == 0), "{size}");
    }
}

#[test]
fn a_block_that_grows_takes_its_bytes_along() {
    let all = &RESERVE;
    let first = layout(100, 16);
    let block = all.take(first);
    bytes(block, 100).fill(7);
    // SAFETY: blocks of the test's own, with the layouts that they have.
    unsafe {
        assert!(all.fit(block, first, 128) && !all.fit(block, first, 129));
        let grown = Allocator.realloc(block, layout(128, 16), 3000);
        assert!(!all.has(grown), "the system has memory again");
        assert!(bytes(grown, 100).iter().all(|it| *it == 7));
        assert!(bytes(block, 128).iter().all(|it| *it == 0), "wiped where it was");
        // And from the system to the reserve, where it refuses.
        let back = Allocator.moved(grown, layout(3000, 16), 5000);
        assert!(all.has(back) && bytes(back, 100).iter().all(|it| *it == 7));
        let large = layout(5000, 16);
        assert_eq!(Allocator.realloc(back, large, 4097), back, "as many pieces");
        assert_eq!(Allocator.realloc(back, layout(4097, 16), 10), back, "fewer");
        Allocator.dealloc(back, layout(10, 16));
    }
    let watch = Watch::begin();
    assert!(!watch.holds());
    let block = all.take(first);
    assert!(watch.holds() && !Watch::begin().holds(), "a call of the call has its own beginning");
    assert!(
        !std::thread::spawn(move || watch.holds()).join().expect("no panic"),
        "not this thread"
    );
    give(all, block, first);
    assert!(!watch.holds());
    assert_eq!(all.held(), 0);
}

#[test]
fn threads_never_have_the_same_piece() {
    let reserve = reserve();
    let work = |seed: usize| {
        let (mut state, mut mine) = (seed.wrapping_mul(0x9e37_79b9) | 1, Vec::new());
        let mut refused = 0;
        for _ in 0..if cfg!(miri) { 60 } else { 20_000 } {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // A byte takes an interpreter a microsecond.
            let large = if cfg!(miri) { 4500 } else { 30_000 };
            let size = 1 + state % if state % 5 == 0 { large } else { 500 };
            let layout = layout(size, 1 << ((state >> 20) % 9));
            let block = reserve.take(layout);
            if block.is_null() {
                refused += 1;
            } else {
                assert!(bytes(block, size).iter().all(|it| *it == 0));
                bytes(block, size).fill(seed as u8);
                mine.push((block, layout));
            }
            if block.is_null() || mine.len() > state % 40 {
                if mine.is_empty() {
                    continue;
                }
                let (block, layout) = mine.swap_remove((state >> 9) % mine.len());
                assert!(bytes(block, layout.size()).iter().all(|it| *it == seed as u8));
                give(reserve, block, layout);
            }
        }
        assert_eq!(reserve.held(), mine.len());
        mine.iter().for_each(|(block, layout)| give(reserve, *block, *layout));
        refused
    };
    let refused: usize = std::thread::scope(|scope| {
        let seeds = 1..=if cfg!(miri) { 3 } else { 8 };
        let threads: Vec<_> = seeds.map(|seed| scope.spawn(move || work(seed))).collect();
        threads.into_iter().map(|it| it.join().expect("no panic")).sum()
    });
    println!("{refused} refused");
    assert_eq!(reserve.held(), 0);
    assert!(!reserve.take(layout(LARGEST, 4096)).is_null());
}
