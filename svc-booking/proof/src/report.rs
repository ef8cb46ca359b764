//! The page for whoever decides about the booking.
