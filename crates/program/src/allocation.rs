//! Counts what each thread holds on the heap, so that a program's memory can be bounded.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::hint::black_box;

use mimalloc::MiMalloc;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
}

/// Mimalloc, which is quick with the many small values that a probe makes, with a count for each thread.
///
/// The policy's `memory_bytes_max` holds only in a binary that installs it with `#[global_allocator]`; elsewhere the
/// limit is inactive, as [`CountingAllocator::is_installed`] tells.
pub struct CountingAllocator;

impl CountingAllocator {
    /// Whether this binary's allocations are counted.
    #[must_use]
    pub fn is_installed() -> bool {
        let before = held_bytes();
        let probe = black_box(Box::new(0_u64));
        let installed = held_bytes() != before;
        drop(probe);
        installed
    }
}

/// Bytes that this thread has allocated less those that it has freed; below zero where it freed what others allocated.
pub(crate) fn held_bytes() -> isize {
    HELD.try_with(Cell::get).unwrap_or(0)
}

fn count(bytes: isize) {
    // A thread that is being torn down has no counter any more, and no program either.
    let _ = HELD.try_with(|held| held.set(held.get().wrapping_add(bytes)));
}

#[expect(
    unsafe_code,
    reason = "the trait is unsafe; every call goes to the allocator within with what came in"
)]
// SAFETY: every method hands its arguments to `MiMalloc` unchanged; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's promise is passed on.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's promise is passed on.
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the caller's promise is passed on.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.cast_signed().wrapping_sub(layout.size().cast_signed()));
        // SAFETY: the caller's promise is passed on.
        unsafe { MiMalloc.realloc(pointer, layout, size) }
    }
}
